"""`record`: turns the tape of an output, from the engine, PyTorch or a class of one's own, into the model."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

from course.graph.code import code_of
from course.graph.model import Edge, Graph, Node, Rule, Saved, Value, backward_steps, ratio
from course.graph.tape import Firing, Sweep, Tape, UnusableError
from course.graph.words import COLLAPSE_ABOVE

Slot = tuple[Any, int]  # a function of the tape, and which of its results
SavedTensors = dict[Any, Sequence[tuple[str, Any]]]
ITSELF = -1  # stands for a function with several results, beside these


def record(
    output: Any,
    inputs: Iterable[Any] | None = None,
    names: Mapping[str, Any] | None = None,
    of: Any = None,
) -> Graph:
    """Record how `output` was computed, and the backward pass from it, as a Graph.

    `output` is an engine Tensor or a torch Tensor that requires a gradient, or a number of a class of one's
    own: any object with `data`, `operands` and `partials` (course.graph.value_tape). If it has several
    entries, the pass starts from an adjoint of ones, like that of `output.sum()`. The picture begins at the
    tensors `inputs`: nothing before them is shown, and inputs that the output does not depend on are shown
    with the gradient None. `names` maps names to tensors, leaves or intermediate results; all other tensors
    are named after the caller's variables.

    `of` is for a derivative that was computed with create_graph=True. It is the tensor that was
    differentiated, or for a higher derivative the list of such tensors in their order. The operations that
    computed it are of first order (`Node.order`), later operations are of second order. Without `of`, all
    operations are of first order.

    The graph is not changed: you can still call `backward`, no `.grad` is modified and no hook remains.
    Raises TypeError for anything else, ValueError for a tensor without a graph and for an `of` whose
    backward pass created no part of the graph.
    """
    return record_from(sys._getframe(1), output, inputs, names, of)


def record_from(
    frame: FrameType | None,
    output: Any,
    inputs: Iterable[Any] | None = None,
    names: Mapping[str, Any] | None = None,
    of: Any = None,
) -> Graph:
    """Record as `record` does, with the variables of `frame` for names."""
    tape = tape_of(output)
    begins = tuple(inputs or ())
    start, stops = tape.origin(output), [tape.origin(tensor) for tensor in begins]
    if start is None:
        raise ValueError("this tensor has no graph: it was computed from no tensor with requires_grad=True")
    if None in stops:
        raise ValueError("each of the inputs must have requires_grad=True")
    history = walk(tape, start, [stop for stop in stops if stop is not None])
    orders = _orders(tape, history, of if isinstance(of, list | tuple) else [] if of is None else [of])
    saved, note = _saved(tape, history)
    held = [output, *begins, *(tensor for pairs in saved.values() for _, tensor in pairs)]
    named = identify(tape, history, held, names, frame)
    if any(slot[1] != ITSELF and slot not in named.tensors for slot in history.slots()):
        held = tape.living()  # the slowest step: it looks through all objects that are alive
        named.look(tape, history, held)
    sweep = None
    if note is None:
        ends = [named.tensors[slot] for slot in history.slots() if slot[0] in history.ends]
        watched = [function for function in history.functions if function not in history.ends]
        try:
            sweep = tape.sweep(output, ends, watched, [*held, *named.tensors.values()])
        except UnusableError as error:
            note = str(error)
    graph = Recording(tape, history, named, saved, orders, sweep, note).graph()
    return replace(graph, code=code_of(graph, frame))


def tape_of(output: Any) -> Tape:
    """Find the tape that a tensor was recorded on; torch is imported only if it was before."""
    torch = sys.modules.get("torch")
    if torch is not None and issubclass(type(output), torch.Tensor):
        from course.graph.torch_tape import TorchTape

        return TorchTape()
    from course.engine import Tensor

    if isinstance(output, Tensor):
        from course.graph.engine_tape import EngineTape

        return EngineTape()
    from course.graph.value_tape import NAMES, ValueTape

    missing = [name for name in NAMES if not hasattr(output, name)]
    if not missing:
        return ValueTape(output)
    raise TypeError(
        f"an engine Tensor, a torch Tensor or an object with {', '.join(NAMES)} can be recorded; "
        f"{type(output).__name__} has no {missing[0]}"
    )


def _orders(tape: Tape, history: History, of: Sequence[Any]) -> dict[Any, int]:
    """Give each operation's order: 1, and one more for each tensor in `of` that it came after.

    Both tapes number functions in the order of creation. A function that was created after a tensor and is
    not part of its history comes from the tensor's backward pass, or uses a result of that pass.
    """
    numbers = {f: tape.number(f) for f in history.functions if f not in history.ends}
    orders = dict.fromkeys(numbers, 1)
    for tensor in of:
        if not tape.is_tensor(tensor):
            raise TypeError(f"of: pass the tensor that was differentiated, not {type(tensor).__name__}")
        slot = tape.origin(tensor)
        if slot is None or tape.leaf(slot[0]) is not None:
            raise ValueError("of: this tensor was not computed from a tensor that requires a gradient")
        before, number = set(walk(tape, slot, []).functions), tape.number(slot[0])
        later = [f for f in numbers if numbers[f] > number and f not in before]
        if not later or before.isdisjoint(history.functions):
            raise ValueError(
                "of: no part of this graph was created by a backward pass from that tensor; pass the one "
                "that was differentiated, and compute the derivative with create_graph=True"
            )
        for function in later:
            orders[function] += 1
    return orders


def _saved(tape: Tape, history: History) -> tuple[SavedTensors, str | None]:
    """List what each function saved, and say why where it is gone."""
    saved: SavedTensors = {}
    note = None
    for function in history.functions:
        try:
            saved[function] = () if function in history.ends else tape.saved(function)
        except UnusableError as error:
            note = str(error)
    return saved, note


@dataclass
class Recording:
    """A computation after it was walked, named and swept; `graph` makes the model of it."""

    tape: Tape
    history: History
    named: NamedTensors
    saved: SavedTensors
    orders: Mapping[Any, int]
    sweep: Sweep | None
    note: str | None

    def __post_init__(self) -> None:
        slots = self.history.slots()
        self.ids = {slot: f"n{number}" for number, slot in enumerate(slots)}
        self.firings: dict[Any, Firing] = {}
        self.adjoints: dict[Slot, Value | None] = {}
        if self.sweep:
            ends = [slot for slot in slots if slot[0] in self.history.ends]
            self.adjoints |= zip(ends, self.sweep.ends, strict=True)
            self.firings |= {firing.function: firing for firing in self.sweep.firings}
        for function, firing in self.firings.items():
            self.adjoints |= {(function, at): adjoint for at, adjoint in enumerate(firing.adjoints)}

    def graph(self) -> Graph:
        """Make the model."""
        nodes = tuple(map(self._node, self.ids))
        edges = tuple(edge for function in self.history.functions for edge in self._edges(function))
        output = self.ids[self.history.start]
        graph = Graph(nodes, edges, (), output, self.tape.source, self.note)
        if self.sweep is None:
            return graph
        return replace(graph, steps=backward_steps(graph, self.sweep.seed, self._backward_order()))

    def _node(self, slot: Slot) -> Node:
        function, index = slot
        tape, tensor = self.tape, self.named.tensors.get(slot)
        value = tape.value(tensor) if tensor is not None else tape.kept(function) if index == 0 else None
        shapes = tape.shapes(function)
        node = Node(
            id=self.ids[slot],
            kind="leaf" if function in self.history.ends else "result",
            name=self.named.names.get(slot),
            shape=value.shape if value else shapes[index] if 0 <= index < len(shapes) else None,
            value=value,
            adjoint=self.adjoints.get(slot),
        )
        if node.kind == "leaf" or slot != self.history.own_slot(function):
            return node
        return replace(
            node,
            kind="operation",
            operation=tape.operation(function),
            custom=tape.custom(function),
            saved=tuple(self._saved_tensor(*pair) for pair in self.saved.get(function, ())),
            context=tuple(tape.context(function)),
            needs_grad=tape.needs_grad(function),
            returned=self.firings[function].returned if function in self.firings else (),
            rule=self._rule(slot),
            order=self.orders[function],
        )

    def _rule(self, slot: Slot) -> Rule | None:
        function, _ = slot
        if (
            len(self.ids) > COLLAPSE_ABOVE or slot[1] == ITSELF
        ):  # what is drawn together is not computed again
            return None
        sources, tensors = dict(self.history.operands[function]), self.named.tensors
        ids = {at: self.ids[source] for at, source in sources.items()}
        around = {at: tensors.get(source) for at, source in [*sources.items(), (-1, slot)]}
        return self.tape.rule(function, ids, around, tensors.values())

    def _saved_tensor(self, name: str, tensor: Any) -> Saved:
        slot = self.tape.origin(tensor)
        name = "" if name == "self" else name  # which is what PyTorch calls the first operand
        names = self.named
        name = names.names.get(slot, name) if slot else names.constants.get(id(tensor), name)
        return Saved(name, self.tape.value(tensor), self.ids.get(slot) if slot else None)

    def _edges(self, function: Any) -> list[Edge]:
        """List the edges into a function, and from one with several results to these."""
        slot, firing = self.history.own_slot(function), self.firings.get(function)
        several = slot[1] == ITSELF
        key, edges = self.ids[slot], []
        present = [at for at, (operand, _) in enumerate(self.tape.operands(function)) if operand is not None]
        for at, (position, source) in zip(present, self.history.operands[function], strict=False):
            product = firing.products[at] if firing else None
            local = self._local(firing, at) if firing and not several else None
            edges.append(Edge(f"e{key[1:]}-{position}", self.ids[source], key, position, local, product))
        for index in self.history.results[function] if several else ():
            result, adjoint = self.ids[function, index], self.adjoints.get((function, index))
            edges.append(Edge(f"e{result[1:]}-{index}", key, result, index, None, adjoint))
        return edges

    def _local(self, firing: Firing, at: int) -> float | None:
        product, adjoint = firing.products[at], firing.adjoints[0]
        if product is None or product.number is None or adjoint is None or adjoint.number is None:
            return None
        local = ratio(product.number, adjoint.number)
        if local is None:  # the adjoint is 0, inf or nan, and says nothing: ask the function itself
            alone = self.tape.local(firing.function)[at]
            local = alone.number if alone else None
        return local

    def _backward_order(self) -> list[str]:
        """List nodes as the backward pass reached them, a function's results before the function."""
        order = []
        for function in self.firings:
            slot = self.history.own_slot(function)
            if slot[1] == ITSELF:
                order += [self.ids[function, index] for index in self.history.results[function]]
            order.append(self.ids[slot])
        return order


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
