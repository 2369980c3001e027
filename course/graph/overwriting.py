"""The sweep of an engine that writes = for +=: a product replaces what its node has received before."""

from dataclasses import replace

from course.graph.model import Graph, Step, of_array


def overwritten(graph: Graph) -> Graph:
    """Return the graph with the steps, products and adjoints of such a sweep.

    Raises ValueError where a local derivative is not a number.
    """
    edges = {edge.id: edge for edge in graph.edges}
    adjoints: dict[str, float] = {}
    products: dict[str, float] = {}
    steps = []
    for step in graph.steps:
        before = adjoints.get(step.node)
        if step.edge is None:
            adjoints[step.node] = 1.0
            steps.append(step)
            continue
        edge = edges[step.edge]
        if edge.local is None:
            raise ValueError("= for +=: this picture is for graphs of numbers")
        product = products[edge.id] = edge.local * adjoints[edge.target]
        adjoints[step.node] = product if step.kind == "sum" or before is None else before
        steps.append(Step(step.kind, step.node, edge.id, of_array(product), of_array(adjoints[step.node])))
    nodes = [replace(n, adjoint=of_array(adjoints[n.id])) if n.id in adjoints else n for n in graph.nodes]
    lines = [replace(e, product=of_array(products[e.id])) if e.id in products else e for e in graph.edges]
    return replace(graph, nodes=tuple(nodes), edges=tuple(lines), steps=tuple(steps))
