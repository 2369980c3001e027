"""What an output was computed from: the functions of its tape, their tensors, and the names of these."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from course.graph.tape import Tape

Slot = tuple[Any, int]  # a function of the tape, and which of its results
ITSELF = -1  # stands for a function with several results, beside these


@dataclass
class History:
    """What an output was computed from: functions, operands before results, and how they are connected.

    `operands` gives, for each function, (position of the argument, slot that it came from) in order.
    `results` gives which of a function's results there are to see; `ends` are the leaves and the inputs
    asked for.
    """

    start: Slot
    functions: list[Any] = field(default_factory=list)
    operands: dict[Any, list[tuple[int, Slot]]] = field(default_factory=dict)
    results: dict[Any, list[int]] = field(default_factory=dict)
    ends: dict[Any, None] = field(default_factory=dict)

    def own_slot(self, function: Any) -> Slot:
        """Give the slot where a function itself stands: its only result's, or the one for all of them."""
        several = function not in self.ends and self.results[function] != [0]
        return function, ITSELF if several else 0

    def slots(self) -> list[Slot]:
        """List every slot in forward order."""
        listing = []
        for function in self.functions:
            if self.own_slot(function)[1] == ITSELF:
                listing.append(self.own_slot(function))
            listing += [(function, index) for index in self.results[function]]
        return listing


def walk(tape: Tape, start: Slot, inputs: Sequence[Slot]) -> History:
    """Collect what `start` was computed from, operands first and from left to right; stop at `inputs`.

    Where the graph fans out, a function is met several times and listed once. Inputs that are not met come
    last.
    """
    history = History(start, ends={function: None for function, _ in inputs})
    stack: list[tuple[Any, bool]] = [(start[0], False)]
    while stack:
        function, done = stack.pop()
        if done:
            history.functions.append(function)
        elif function not in history.operands:
            _open(tape, history, function)
            stack.append((function, True))
            stack.extend((operand, False) for _, (operand, _) in reversed(history.operands[function]))
    for function, _ in inputs:
        if function not in history.operands:
            _open(tape, history, function)
            history.functions.append(function)
    used: dict[Any, set[int]] = {}
    for owner, index in (start, *inputs, *(slot for found in history.operands.values() for _, slot in found)):
        used.setdefault(owner, set()).add(index)
    for function in history.functions:
        # A result that nobody used is worth seeing where the user wrote the Function: its adjoint is None.
        count = len(tape.shapes(function)) if tape.custom(function) and function not in history.ends else 0
        history.results[function] = sorted(used.get(function, set()) | {*range(count)})
    return history


def _open(tape: Tape, history: History, function: Any) -> None:
    if tape.leaf(function) is not None:
        history.ends[function] = None
    history.operands[function] = [] if function in history.ends else operands(tape, function)


def operands(tape: Tape, function: Any) -> list[tuple[int, Slot]]:
    """Give the operands that a gradient can flow to: (position of the argument, slot)."""
    found = [(at, slot) for at, slot in enumerate(tape.operands(function)) if slot[0] is not None]
    needs = tape.needs_grad(function)
    if needs is not None and sum(needs) == len(found):
        # PyTorch lists a Function's tensors alone; the positions are those among all arguments.
        places = [at for at, needed in enumerate(needs) if needed]
        found = [(place, slot) for place, (_, slot) in zip(places, found, strict=True)]
    return found


@dataclass
class NamedTensors:
    """The tensors that stand at the slots of a history, as far as they are known, and a name for each."""

    tensors: dict[Slot, Any] = field(default_factory=dict)
    names: dict[Slot, str] = field(default_factory=dict)
    constants: dict[int, str] = field(default_factory=dict)  # id of a tensor without a gradient: its name

    def look(self, tape: Tape, history: History, held: Iterable[Any]) -> None:
        """Find tensors for slots that have none yet."""
        places = set(history.slots())
        for tensor in held:
            slot = tape.origin(tensor)
            if slot is not None and slot in places:
                self.tensors.setdefault(slot, tensor)


def identify(
    tape: Tape, history: History, held: list[Any], names: Mapping[str, Any] | None, frame: FrameType | None
) -> NamedTensors:
    """Find names and tensors for the slots; `held` are more tensors, without names, that may stand there.

    Names are given once each; what has none is called v1, v2, … in forward order. A name for a tensor outside
    the history is left unused. Raises TypeError as `candidates` does.
    """
    named, slots = NamedTensors(), history.slots()
    places, taken, seen = set(slots), set(), set()
    for function in history.functions:
        leaf = tape.leaf(function)
        if leaf is not None:
            named.tensors[function, 0] = leaf
    for name, tensor in candidates(tape, names, frame):
        seen.add(name)  # not to be given to another tensor, whether this one is in the picture or not
        slot = tape.origin(tensor)
        if slot is None:
            named.constants.setdefault(id(tensor), name)
        elif slot in places:
            named.tensors.setdefault(slot, tensor)
            if slot not in named.names and name not in taken:
                named.names[slot] = name
                taken.add(name)
    named.look(tape, history, held)
    free = (name for name in (f"v{number}" for number in itertools.count(1)) if name not in seen)
    for slot in slots:
        if slot not in named.names and slot[1] != ITSELF:
            named.names[slot] = next(free)
    return named


def candidates(
    tape: Tape, names: Mapping[str, Any] | None, frame: FrameType | None
) -> Iterator[tuple[str, Any]]:
    """Yield (name, tensor), the best name of a tensor first.

    Raises TypeError when `names` gives a name to something that is not a tensor of this tape.
    """
    for name, tensor in (names or {}).items():
        if not tape.is_tensor(tensor):
            raise TypeError(f"names: {name!r} must be a tensor of the same kind as the output")
        yield name, tensor
    if frame is None:
        return
    # Jupyter keeps what cells gave under names with an underscore, and tools add names of theirs.
    scope = {**frame.f_globals, **frame.f_locals}
    variables = [(name, thing) for name, thing in scope.items() if name.isidentifier() and name[0] != "_"]
    yield from ((name, thing) for name, thing in variables if tape.is_tensor(thing))
    for name, thing in variables:
        yield from ((f"{name}.{path}", tensor) for path, tensor in tape.parameters(thing))
