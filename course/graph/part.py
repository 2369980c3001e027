"""A part of a graph as a graph of its own: what a group holds."""

from collections.abc import Collection, Sequence

from course.graph.model import Graph, Node, Step


def part(graph: Graph, operations: Sequence[str], leaves: Collection[str]) -> Graph:
    """Cut out operations and leaves, all by id; the last operation is the output, and its adjoint the seed.

    Operands from elsewhere become nodes of the kind "input": their adjoints belong to the whole graph.
    """
    inside = {*operations, *leaves}
    edges = [edge for key in operations for edge in graph.operands(key)]
    sources = {edge.source for edge in edges}
    nodes = [
        node if node.id in inside else _input(node)
        for node in graph.nodes
        if node.id in inside or node.id in sources
    ]
    kept = {edge.id for edge in edges}
    steps = [step for step in graph.steps if step.edge in kept]
    if graph.swept:
        output, seed = operations[-1], graph.node(operations[-1]).adjoint
        steps.insert(0, Step("seed", output, None, seed, seed))
    return Graph(tuple(nodes), tuple(edges), tuple(steps), operations[-1], graph.source, graph.note)


def _input(node: Node) -> Node:
    return Node(node.id, "input", node.name, shape=node.shape, value=node.value, order=node.order)
