"""The steps of a sweep: of the backward pass, in the order in which the tape ran it, or of tangents."""

from collections.abc import Collection, Iterable, Sequence

from course.graph.model import Edge, Graph, Step, Value
from course.graph.values import of_array, plus


def backward_steps(
    output: str, seed: Value, order: Iterable[str], edges: Sequence[Edge], whole: Collection[str]
) -> tuple[Step, ...]:
    """Write out the pass: seed the output, travel each edge, and sum where paths meet.

    `order` lists nodes as they ran; each one's edges are travelled in the order of its operands. An edge that
    sends no gradient is travelled too, and adds nothing. Nodes in `whole` have several results, so no sum.
    """
    into = _by_target(edges)
    sums: dict[str, Value | None] = {output: seed}
    steps = [Step("seed", output, None, seed, seed)]
    for target in order:
        for edge in into.get(target, ()):
            if edge.source in whole:
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


def tangent_steps(graph: Graph, leaf: str) -> tuple[Step, ...] | None:
    """Write out a forward-mode sweep: how fast each node changes when the leaf with this id is moved.

    Each leaf is seeded, 1 or 0; then each edge is travelled along the tape, and products that meet add up.
    None where a local derivative is not known: a graph of arrays, or one that was not swept.
    """
    into = _by_target(graph.edges)
    tangents: dict[str, float] = {}
    steps: list[Step] = []
    for node in graph.nodes:
        if node.kind == "leaf":
            tangents[node.id] = float(node.id == leaf)
            seed = of_array(tangents[node.id])
            steps.append(Step("seed", node.id, None, seed, seed))
        total: float | None = None
        for edge in into.get(node.id, ()):
            if edge.local is None:
                return None
            product = edge.local * tangents[edge.source]
            before = total
            total = product if before is None else before + product
            arrived = of_array(product)
            steps.append(
                Step("travel", node.id, edge.id, arrived, arrived if before is None else of_array(before))
            )
            if before is not None:
                steps.append(Step("sum", node.id, edge.id, arrived, of_array(total)))
        if total is not None:
            tangents[node.id] = total
    return tuple(steps) if graph.swept else None


def _by_target(edges: Iterable[Edge]) -> dict[str, list[Edge]]:
    """Group edges by the node they go into, operands in order."""
    into: dict[str, list[Edge]] = {}
    for edge in sorted(edges, key=lambda edge: edge.position):
        into.setdefault(edge.target, []).append(edge)
    return into
