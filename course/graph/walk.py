"""Walking a tape from its output to its leaves, without recursion."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from course.graph.tape import Tape

Slot = tuple[Any, int]  # a function of the tape, and which of its results
WHOLE = -1  # stands for a function with several results, beside these


@dataclass
class Trail:
    """What an output was computed from: functions, operands before results, and how they hang together.

    `operands` gives, for each function, (position of the argument, slot that it came from) in order.
    `results` gives which of a function's results there are to see; `ends` are the leaves and the inputs
    asked for.
    """

    start: Slot
    functions: list[Any] = field(default_factory=list)
    operands: dict[Any, list[tuple[int, Slot]]] = field(default_factory=dict)
    results: dict[Any, list[int]] = field(default_factory=dict)
    ends: dict[Any, None] = field(default_factory=dict)

    def home(self, function: Any) -> Slot:
        """Give the slot where a function itself stands: its only result's, or the one for all of them."""
        several = function not in self.ends and self.results[function] != [0]
        return function, WHOLE if several else 0

    def slots(self) -> list[Slot]:
        """List every slot in forward order."""
        listing = []
        for function in self.functions:
            if self.home(function)[1] == WHOLE:
                listing.append(self.home(function))
            listing += [(function, index) for index in self.results[function]]
        return listing


def walk(tape: Tape, start: Slot, inputs: Sequence[Slot]) -> Trail:
    """Collect what `start` was computed from, operands first and from left to right; stop at `inputs`.

    Where the graph fans out, a function is met several times and listed once. Inputs that are not met come
    last.
    """
    trail = Trail(start, ends={function: None for function, _ in inputs})
    stack: list[tuple[Any, bool]] = [(start[0], False)]
    while stack:
        function, done = stack.pop()
        if done:
            trail.functions.append(function)
        elif function not in trail.operands:
            _open(tape, trail, function)
            stack.append((function, True))
            stack.extend((operand, False) for _, (operand, _) in reversed(trail.operands[function]))
    for function, _ in inputs:
        if function not in trail.operands:
            _open(tape, trail, function)
            trail.functions.append(function)
    used: dict[Any, set[int]] = {}
    for owner, index in (start, *inputs, *(slot for found in trail.operands.values() for _, slot in found)):
        used.setdefault(owner, set()).add(index)
    for function in trail.functions:
        # A result that nobody used is worth seeing where the user wrote the Function: its adjoint is None.
        count = len(tape.shapes(function)) if tape.custom(function) and function not in trail.ends else 0
        trail.results[function] = sorted(used.get(function, set()) | {*range(count)})
    return trail


def _open(tape: Tape, trail: Trail, function: Any) -> None:
    if tape.leaf(function) is not None:
        trail.ends[function] = None
    trail.operands[function] = [] if function in trail.ends else operands(tape, function)


def operands(tape: Tape, function: Any) -> list[tuple[int, Slot]]:
    """Give the operands that a gradient can flow to: (position of the argument, slot)."""
    found = [(at, slot) for at, slot in enumerate(tape.operands(function)) if slot[0] is not None]
    needs = tape.needs_grad(function)
    if needs is not None and sum(needs) == len(found):
        # PyTorch lists a Function's tensors alone; the positions are those among all arguments.
        places = [at for at, needed in enumerate(needs) if needed]
        found = [(place, slot) for place, (_, slot) in zip(places, found, strict=True)]
    return found
