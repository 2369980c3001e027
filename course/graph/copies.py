"""Leaves with many uses, drawn once for each: fan-out, not size, makes a layout slow and hard to read."""

from collections.abc import Mapping

from course.graph.model import Graph

MANY = 4  # uses up to which a leaf stands alone: paths that meet there are what a picture is for
MARK = "_"  # between a leaf's id and its copy's number


def drawn_as(graph: Graph) -> Mapping[str, Mapping[str, str]]:
    """Say which leaves are drawn several times: by id, {id of an operation: id of its copy of the leaf}.

    A leaf that more than `MANY` operations take gets a copy beside each of them, all with the same value and
    the same adjoint; any other leaf is drawn once, whatever the size of the graph. An operation that takes a
    leaf twice, as x * x does, has one copy of it.
    """
    copies = {}
    for leaf in graph.nodes:
        if leaf.kind == "leaf":
            targets = dict.fromkeys(edge.target for edge in graph.uses(leaf.id))
            if len(targets) > MANY:
                copies[leaf.id] = {
                    target: f"{leaf.id}{MARK}{number}" for number, target in enumerate(targets)
                }
    return copies


def drawn_once(key: str) -> str:
    """Give the id of the node that a shape in a picture stands for."""
    return key.partition(MARK)[0]
