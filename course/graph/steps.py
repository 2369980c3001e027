"""The steps of a backward pass, in the order in which the tape ran it."""

from collections.abc import Collection, Iterable, Sequence

from course.graph.model import Edge, Step, Value
from course.graph.values import plus


def backward_steps(
    output: str, seed: Value, order: Iterable[str], edges: Sequence[Edge], whole: Collection[str]
) -> tuple[Step, ...]:
    """Write out the pass: seed the output, travel each edge, and sum where paths meet.

    `order` lists nodes as they ran; each one's edges are travelled in the order of its operands. An edge that
    sends no gradient is travelled too, and adds nothing. Nodes in `whole` have several results, so no sum.
    """
    into: dict[str, list[Edge]] = {}
    for edge in edges:
        into.setdefault(edge.target, []).append(edge)
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
