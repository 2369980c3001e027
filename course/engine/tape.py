"""A graph written out as a list: what happened, in order, with the local derivatives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from course.engine.function import Cotangents, Function, Output
from course.engine.node import FREED, Node, recording
from course.engine.tensor import AccumulateGrad, Tensor


class Step(NamedTuple):
    """One value of a computation: its name, those of its operands, its derivative by each operand."""

    name: str
    operands: tuple[str, ...]
    partials: tuple[float, ...]


def tape(output: Tensor, names: Mapping[str, Tensor] | None = None) -> list[Step]:
    """List the steps of a scalar computation in order of creation: leaves first, the output last.

    `names` gives names to Tensors, and puts on the tape those too that the output does not depend on;
    other values are called w1, w2, … A leaf has no operands. Constants do not stand on the tape.
    Raises ValueError where a value has more than one entry, RuntimeError where there is no graph (any more).
    """
    if output.node is None:
        raise RuntimeError("this Tensor does not require a gradient: it has no graph to write out")
    named = {
        t.node: name for name, t in (names or {}).items() if t.node and t.node.number <= output.node.number
    }
    nodes = values_before([output.node, *named])
    nodes.sort(key=lambda node: (node is output.node, bool(inputs(node)), node.number))
    taken = set(named.values())
    fresh = (name for name in (f"w{i}" for i in range(1, len(nodes) + len(taken) + 1)) if name not in taken)
    called = {node: named.get(node) or next(fresh) for node in nodes}
    return [Step(called[node], *operands_of(node, called)) for node in nodes]


def inputs(node: Node) -> tuple[Node | None, ...]:
    """Return the nodes that a value was computed from."""
    return node.source()[0].edges


def values_before(roots: list[Node]) -> list[Node]:
    """Return the nodes of all values that the roots depend on, and the roots, each once."""
    found: dict[Node, None] = {}
    stack: list[Node | None] = [*roots]
    while stack:
        node = stack.pop()
        if node is None or node in found:
            continue
        if node.shape != ():
            raise ValueError(
                f"a tape holds numbers only, and {node.name()} gave an array of shape {node.shape}"
            )
        found[node] = None
        stack.extend(inputs(node))
    return list(found)


def operands_of(node: Node, called: dict[Node, str]) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return the names of a value's operands and its derivatives by them: the node's own vjp of 1."""
    if isinstance(node, AccumulateGrad):
        return (), ()
    function, index = node.source()
    if function.saved is None:
        raise RuntimeError(FREED)
    cotangent: Any = 1.0
    if isinstance(node, Output):
        assert isinstance(function, Function)
        cotangent = Cotangents(1.0 if i == index else None for i in range(len(function.outputs)))
    with recording(False):
        partials = function.vjp(cotangent, function.saved)
    pairs = zip(function.edges, partials if isinstance(partials, tuple) else (partials,), strict=True)
    kept = [
        (called[edge], 0.0 if partial is None else float(partial))
        for edge, partial in pairs
        if edge is not None
    ]
    return tuple(name for name, _ in kept), tuple(partial for _, partial in kept)
