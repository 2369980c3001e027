"""Building the model: what the walk met, what the sweep showed, under names that a reader knows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

from course.graph.model import Edge, Graph, Node, Saved, Step, Value
from course.graph.names import Known, identify
from course.graph.orders import orders
from course.graph.steps import backward_steps
from course.graph.tape import Firing, Tape, UnusableError
from course.graph.values import ratio
from course.graph.walk import WHOLE, Slot, Trail, walk

SavedTensors = dict[Any, Sequence[tuple[str, Any]]]


@dataclass
class Shown:
    """What a sweep showed: each slot's adjoint, each function's turn, in order."""

    seed: Value
    adjoints: dict[Slot, Value | None] = field(default_factory=dict)
    turns: dict[Any, Firing] = field(default_factory=dict)


def build(
    tape: Tape, output: Any, inputs: Sequence[Any], names: Mapping[str, Any] | None, frame: FrameType | None
) -> Graph:
    """Walk the tape, sweep it, and write down what was seen."""
    start, begins = tape.origin(output), [tape.origin(tensor) for tensor in inputs]
    if start is None:
        raise ValueError("this tensor has no graph: nothing that it was computed from has requires_grad=True")
    if None in begins:
        raise ValueError("each of the inputs must have requires_grad=True")
    trail = walk(tape, start, [begin for begin in begins if begin is not None])
    saved, note = _saved(tape, trail)
    held = [output, *inputs, *(tensor for pairs in saved.values() for _, tensor in pairs)]
    known = identify(tape, trail, held, names, frame)
    if any(slot[1] != WHOLE and slot not in known.tensors for slot in trail.slots()):
        held = tape.living()  # to look through all that is alive takes longer than all the rest
        known.look(tape, trail, held)
    held = [*held, *known.tensors.values()]
    shown = None
    if note is None:
        try:
            shown = _sweep(tape, trail, known, output, held)
        except UnusableError as error:
            note = str(error)
    ids = {slot: f"n{number}" for number, slot in enumerate(trail.slots())}
    order = orders(tape, trail, known, output, saved)
    nodes = [
        replace(_node(tape, trail, known, shown, saved, ids, slot), order=order.get(slot[0], 1))
        for slot in ids
    ]
    edges = [edge for function in trail.functions for edge in _edges(tape, trail, shown, ids, function)]
    steps: tuple[Step, ...] = ()
    if shown:
        whole = {key for slot, key in ids.items() if slot[1] == WHOLE}
        steps = backward_steps(ids[start], shown.seed, _order(trail, shown, ids), edges, whole)
    return Graph(tuple(nodes), tuple(edges), steps, ids[start], tape.source, note)


def _saved(tape: Tape, trail: Trail) -> tuple[SavedTensors, str | None]:
    saved: SavedTensors = {}
    note = None
    for function in trail.functions:
        try:
            saved[function] = () if function in trail.ends else tape.saved(function)
        except UnusableError as error:
            note = str(error)
    return saved, note


def _sweep(tape: Tape, trail: Trail, known: Known, output: Any, held: Sequence[Any]) -> Shown:
    ends = [slot for slot in trail.slots() if slot[0] in trail.ends]
    watched = [function for function in trail.functions if function not in trail.ends]
    sweep = tape.sweep(output, [known.tensors[slot] for slot in ends], watched, held)
    shown = Shown(sweep.seed, dict(zip(ends, sweep.ends, strict=True)))
    for firing in sweep.firings:
        shown.turns[firing.function] = firing
        shown.adjoints.update({(firing.function, at): adjoint for at, adjoint in enumerate(firing.adjoints)})
    return shown


def _node(
    tape: Tape,
    trail: Trail,
    known: Known,
    shown: Shown | None,
    saved: SavedTensors,
    ids: Mapping[Slot, str],
    slot: Slot,
) -> Node:
    function, index = slot
    tensor = known.tensors.get(slot)
    value = tape.value(tensor) if tensor is not None else tape.kept(function) if index == 0 else None
    adjoint = shown.adjoints.get(slot) if shown else None
    shapes = tape.shapes(function)
    shape = value.shape if value else shapes[index] if 0 <= index < len(shapes) else None
    if function in trail.ends:
        return Node(ids[slot], "leaf", known.names[slot], None, False, shape, value, adjoint)
    if slot != trail.home(function):
        return Node(ids[slot], "result", known.names[slot], None, False, shape, value, adjoint)
    return Node(
        id=ids[slot],
        kind="operation",
        name=known.names.get(slot),
        operation=tape.operation(function),
        custom=tape.custom(function),
        shape=shape,
        value=value,
        adjoint=adjoint,
        saved=tuple(_keep(tape, known, ids, *pair) for pair in saved.get(function, ())),
        context=tuple(tape.context(function)),
        needs_grad=tape.needs_grad(function),
    )


def _keep(tape: Tape, known: Known, ids: Mapping[Slot, str], name: str, tensor: Any) -> Saved:
    slot = tape.origin(tensor)
    name = "" if name == "self" else name  # which is what PyTorch calls the first operand
    name = known.names.get(slot, name) if slot else known.constants.get(id(tensor), name)
    return Saved(name, tape.value(tensor), ids.get(slot) if slot else None)


def _edges(
    tape: Tape, trail: Trail, shown: Shown | None, ids: Mapping[Slot, str], function: Any
) -> list[Edge]:
    home = trail.home(function)
    key = ids[home]
    adjoints = shown.adjoints if shown else {}
    edges = []
    turn = shown.turns.get(function) if shown else None
    present = [at for at, (operand, _) in enumerate(tape.operands(function)) if operand is not None]
    for at, (position, slot) in zip(present, trail.operands[function], strict=False):
        product = turn.products[at] if turn else None
        local = _local(tape, turn, at) if turn and home[1] != WHOLE else None
        edges.append(Edge(f"e{key[1:]}-{position}", ids[slot], key, position, local, product))
    if home[1] == WHOLE:
        for index in trail.results[function]:
            result = ids[function, index]
            edges.append(
                Edge(f"e{result[1:]}-{index}", key, result, index, None, adjoints.get((function, index)))
            )
    return edges


def _local(tape: Tape, turn: Firing, at: int) -> float | None:
    product, adjoint = turn.products[at], turn.adjoints[0]
    if product is None or product.number is None or adjoint is None or adjoint.number is None:
        return None
    local = ratio(product.number, adjoint.number)
    if local is None:  # the adjoint is 0, inf or nan, and says nothing: ask the function itself
        alone = tape.local(turn.function)[at]
        local = alone.number if alone else None
    return local


def _order(trail: Trail, shown: Shown, ids: Mapping[Slot, str]) -> list[str]:
    order = []
    for function in shown.turns:
        home = trail.home(function)
        if home[1] == WHOLE:
            order += [ids[function, index] for index in trail.results[function]]
        order.append(ids[home])
    return order
