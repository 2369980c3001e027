"""A graph written out as a list: what happened, in order, with the local derivatives."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import NamedTuple

from course.engine.core import Leaf, Node, Tensor


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
    last = output.node
    if last is None:
        raise RuntimeError("this Tensor does not require a gradient, so it has no graph")
    named = {t.node: name for name, t in (names or {}).items() if t.node and t.node.number <= last.number}
    nodes = values_before([last, *named])
    nodes.sort(key=lambda node: (node is last, bool(node.edges), node.number))
    fresh = (name for name in map("w{}".format, itertools.count(1)) if name not in named.values())
    called = {node: named.get(node) or next(fresh) for node in nodes}
    return [step(node, called) for node in nodes]


def values_before(roots: list[Node]) -> list[Node]:
    """Return the nodes of all values that the roots depend on, and the roots, each once."""
    found: dict[Node, None] = {}
    stack: list[Node | None] = [*roots]
    while stack:
        node = stack.pop()
        if node is not None and node not in found:
            if node.shape != ():
                raise ValueError(f"a tape holds only numbers, but {node.name()} has shape {node.shape}")
            found[node] = None
            stack += node.edges
    return list(found)


def step(node: Node, called: Mapping[Node, str]) -> Step:
    """Return a value's step; its derivatives are what its node's own backward makes of a 1."""
    if isinstance(node, Leaf):
        return Step(called[node], (), ())
    pairs = [(called[x], g) for x, g in zip(node.edges, node(Tensor(1.0)), strict=True) if x is not None]
    partials = tuple(0.0 if g is None else float(g.data) for _, g in pairs)
    return Step(called[node], tuple(name for name, _ in pairs), partials)
