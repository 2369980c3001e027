"""The model of a computation: plain data, the same whether the engine or PyTorch recorded it.

Everything here can be written as JSON; nothing here knows where it came from.
"""

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

ENTRIES = 64  # larger arrays keep their shape alone: a picture cannot show more
Entries = float | list[Any]


@dataclass(frozen=True)
class Value:
    """An array's shape, dtype and bytes, and its entries (nested lists) when they are few."""

    shape: tuple[int, ...]
    dtype: str
    nbytes: int
    entries: Entries | None = None

    @property
    def number(self) -> float | None:
        """The only entry of an array that has one; else None."""
        entries: Any = self.entries
        if entries is None or math.prod(self.shape) != 1:
            return None
        while isinstance(entries, list):
            entries = entries[0]
        return float(entries)


def of_array(array: Any) -> Value:
    """Describe a NumPy array or scalar; entries are kept for real dtypes and at most `ENTRIES` of them."""
    if type(array) is float:  # most of what the engine holds
        return Value((), "float64", 8, array)
    array = np.asarray(array)
    entries = array.tolist() if array.size <= ENTRIES and array.dtype.kind in "fiub" else None
    return Value(array.shape, str(array.dtype), array.nbytes, entries)


def plus(left: Value | None, right: Value | None) -> Value | None:
    """Add two products that meet at a node; None, no gradient, counts for nothing."""
    if left is None or right is None:
        return left or right
    if left.entries is None or right.entries is None:
        return Value(left.shape, left.dtype, left.nbytes)
    if left.dtype == "float64" and isinstance(left.entries, float) and isinstance(right.entries, float):
        return Value(left.shape, left.dtype, left.nbytes, left.entries + right.entries)
    try:
        dtype = np.dtype(left.dtype)
    except TypeError:  # bfloat16 and the like, which NumPy does not have
        dtype = np.dtype(float)
    total = np.asarray(left.entries, dtype) + np.asarray(right.entries, dtype)
    return Value(left.shape, left.dtype, left.nbytes, total.tolist())


def ratio(product: float, adjoint: float) -> float | None:
    """Recover a local derivative from the product that it gave; None where the adjoint does not let it."""
    return product / adjoint if adjoint != 0 and math.isfinite(adjoint) else None


@dataclass(frozen=True)
class Saved:
    """A tensor that an operation keeps for its backward; `node` is the node whose value it is, if any."""

    name: str
    value: Value
    node: str | None = None


@dataclass(frozen=True)
class Group:
    """What a node of a collapsed graph stands for: leaves, and operations, repeated `times` times.

    `titles` are the operations of one time, `inputs` and `outputs` the shapes of what goes in and out,
    `nbytes` the size of all that is saved inside, and `inside` the nodes of the first time; None where they
    are too many for a picture.
    """

    nodes: int = 0
    leaves: int = 0
    times: int = 1
    titles: tuple[str, ...] = ()
    inputs: tuple[tuple[int, ...] | None, ...] = ()
    outputs: tuple[tuple[int, ...] | None, ...] = ()
    nbytes: int = 0
    inside: "Graph | None" = None


@dataclass(frozen=True)
class Rule:
    """How to compute a node's value again from other values of its operands.

    `name` is an operation of compute.js. An operand is a node's id or a constant. `places` has a number for
    each entry, row by row: of `gather`, where it comes from; of `scatter` and `join`, where it is added; of
    `where`, whether the first operand is chosen.
    """

    name: str
    operands: tuple[str | Value, ...]
    places: tuple[int, ...] = ()


@dataclass(frozen=True)
class Node:
    """A leaf, an operation with its result, one result of an operation that has several, or a group of nodes.

    In the picture of what a group holds, an "input" is a value that was computed elsewhere.
    An operation with several results has neither value nor adjoint of its own: its results have.
    `adjoint` is None where no gradient arrives, and in a graph that was not swept.
    """

    id: str
    kind: Literal["leaf", "operation", "result", "group", "input"]
    name: str | None
    operation: str | None = None  # "mul", "sin"; a custom Function's own name
    custom: bool = False
    shape: tuple[int, ...] | None = None
    value: Value | None = None
    adjoint: Value | None = None
    saved: tuple[Saved, ...] = ()
    context: tuple[tuple[str, str], ...] = ()  # what else is stored on ctx: (name, repr)
    needs_grad: tuple[bool, ...] | None = None  # a custom Function's ctx.needs_input_grad
    returned: tuple[bool, ...] = ()  # for each argument of a custom Function: did backward return a tensor?
    group: Group | None = None  # in a collapsed graph: what the node stands for
    rule: Rule | None = None  # None where a page cannot compute the value again
    order: int = 1  # 2 for what a backward pass with create_graph=True made, or what was computed from that


@dataclass(frozen=True)
class Edge:
    """From an operand to the result that it goes into; `position` counts the operation's arguments.

    `local` is the partial derivative of target by source where both are numbers, and `product` what the
    backward pass adds to the source's adjoint along this edge: None where it sends no gradient.
    """

    id: str
    source: str
    target: str
    position: int
    local: float | None = None
    product: Value | None = None


@dataclass(frozen=True)
class Step:
    """One step of the backward pass; `total` is the sum at `node` once the step is taken.

    seed    the output's adjoint is set
    travel  an edge is travelled: `product` = local derivative × the target's adjoint
    sum     a second or later product is added at a node where paths meet
    """

    kind: Literal["seed", "travel", "sum"]
    node: str
    edge: str | None
    product: Value | None
    total: Value | None


@dataclass(frozen=True)
class Code:
    """The statements that made a graph; a span is a node's id and where its expression begins and ends."""

    text: str
    spans: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class Graph:
    """A recorded computation: nodes in the order of the forward pass, steps in that of the backward pass.

    `note` says in one sentence why adjoints are missing; it is None in a graph that was swept.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    steps: tuple[Step, ...]
    output: str
    source: Literal["engine", "torch", "values"]
    note: str | None = None
    code: Code | None = None  # where it is known

    @property
    def swept(self) -> bool:
        """Whether the backward pass was run while recording."""
        return bool(self.steps)

    def node(self, key: str) -> Node:
        """Find a node by its id, else by its name; KeyError if there is none."""
        return self._nodes[key] if key in self._nodes else self._names[key]

    def edge(self, key: str) -> Edge:
        """Find an edge by its id; KeyError if there is none."""
        return self._edges[key]

    def operands(self, key: str) -> tuple[Edge, ...]:
        """List the edges into a node (its id), operands in order."""
        return self._operands.get(key, ())

    def uses(self, key: str) -> tuple[Edge, ...]:
        """List the edges out of a node (its id): more than one where the node fans out."""
        return self._uses.get(key, ())

    # Looked up often and for every node: found once, and no part of the data.
    @cached_property
    def _nodes(self) -> dict[str, Node]:
        return {node.id: node for node in self.nodes}

    @cached_property
    def _names(self) -> dict[str, Node]:
        return {node.name: node for node in reversed(self.nodes) if node.name is not None}

    @cached_property
    def _edges(self) -> dict[str, Edge]:
        return {edge.id: edge for edge in self.edges}

    @cached_property
    def _operands(self) -> dict[str, tuple[Edge, ...]]:
        return _grouped((edge.target, edge) for edge in sorted(self.edges, key=lambda edge: edge.position))

    @cached_property
    def _uses(self) -> dict[str, tuple[Edge, ...]]:
        return _grouped((edge.source, edge) for edge in self.edges)

    def to_json(self) -> str:
        """Write the graph as strict JSON; nan and infinities become strings."""
        return json.dumps(_finite(asdict(self)), allow_nan=False)


def backward_steps(graph: Graph, seed: Value, order: Iterable[str]) -> tuple[Step, ...]:
    """Write out the pass: seed the output, travel each edge, and sum where paths meet.

    `order` lists nodes as they ran; each one's edges are travelled in the order of its operands. An edge that
    sends no gradient is travelled too, and adds nothing. An operation with several results has no sum.
    """
    several = {node.id for node in graph.nodes if node.kind != "leaf" and node.name is None}
    sums: dict[str, Value | None] = {graph.output: seed}
    steps = [Step("seed", graph.output, None, seed, seed)]
    for target in order:
        for edge in graph.operands(target):
            if edge.source in several:
                steps.append(Step("travel", edge.source, edge.id, edge.product, None))
                continue
            before = sums.get(edge.source)
            total = plus(before, edge.product)
            meets = before is not None and edge.product is not None
            steps.append(Step("travel", edge.source, edge.id, edge.product, before if meets else total))
            if meets:
                steps.append(Step("sum", edge.source, edge.id, edge.product, total))
            sums[edge.source] = total
    return tuple(steps)


def _grouped(pairs: Iterable[tuple[str, Edge]]) -> dict[str, tuple[Edge, ...]]:
    groups: dict[str, list[Edge]] = {}
    for key, edge in pairs:
        groups.setdefault(key, []).append(edge)
    return {key: tuple(edges) for key, edges in groups.items()}


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(item) for key, item in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(item) for item in data]
    return str(data) if isinstance(data, float) and not math.isfinite(data) else data
