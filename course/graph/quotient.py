"""A graph in which bundles of nodes are drawn as one: what goes in and out of each, and what it hides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from course.graph.model import Edge, Graph, Group, Node, Step, Value
from course.graph.steps import backward_steps
from course.graph.values import plus, ratio

Shape = tuple[int, ...] | None


@dataclass(frozen=True)
class Bundle:
    """Operations that follow each other in forward order, by id.

    They are the part of a module called `path`, or `times` equal blocks of the operations `titles`.
    """

    nodes: tuple[str, ...]
    path: str
    titles: tuple[str, ...]
    times: int = 1

    @property
    def summary(self) -> tuple[str, ...]:
        """What to call the bundle as a part of a larger block."""
        if self.times == 1:
            return self.titles
        inside = " ".join(self.titles[:3]) + (" …" if len(self.titles) > 3 else "")
        return (f"({inside}) × {self.times}",)


def quotient(graph: Graph, bundles: Sequence[Bundle]) -> Graph:
    """Draw each bundle as one node; bundles come in the graph's order, and so do their operations.

    A leaf is hidden in the only bundle that uses it, if the bundle repeats or the leaf is called after the
    bundle's module. Edges between the same two nodes become one, whose product is the sum of theirs.
    """
    found = {f"g{number}": bundle for number, bundle in enumerate(bundles)}
    home = {node: key for key, bundle in found.items() for node in bundle.nodes}
    home |= {leaf: key for key, bundle in found.items() for leaf in _own_leaves(graph, bundle, home)}
    members: dict[str, list[Node]] = {key: [] for key in found}
    for node in graph.nodes:
        if node.id in home:
            members[home[node.id]].append(node)
    outputs = {key: _outputs(graph, inside, home) for key, inside in members.items()}
    edges = _edges(graph, home, outputs)
    inputs: dict[str, list[Shape]] = {key: [] for key in found}
    for edge, source in edges:
        if edge.target in inputs:
            inputs[edge.target].append(graph.node(source).shape)
    last = {bundle.nodes[-1]: key for key, bundle in found.items()}  # operands stand before it
    nodes = {}
    for node in graph.nodes:
        if node.id in last:
            key = last[node.id]
            nodes[key] = _node(key, found[key], members[key], outputs[key], inputs[key])
        elif node.id not in home:
            nodes[node.id] = node
    output = home.get(graph.output, graph.output)
    lines = [edge for edge, _ in edges]
    return Graph(
        tuple(nodes.values()),
        tuple(lines),
        _steps(graph, nodes, lines, output),
        output,
        graph.source,
        graph.note,
    )


def _own_leaves(graph: Graph, bundle: Bundle, home: Mapping[str, str]) -> list[str]:
    key = home[bundle.nodes[0]]
    sources = dict.fromkeys(edge.source for node in bundle.nodes for edge in graph.operands(node))
    leaves = [graph.node(source) for source in sources if graph.node(source).kind == "leaf"]
    named = [leaf for leaf in leaves if bundle.times > 1 or (leaf.name or "").startswith(f"{bundle.path}.")]
    return [leaf.id for leaf in named if all(home.get(edge.target) == key for edge in graph.uses(leaf.id))]


def _outputs(graph: Graph, inside: Sequence[Node], home: Mapping[str, str]) -> list[Node]:
    return [
        node
        for node in inside
        if node.id == graph.output
        or any(home.get(edge.target) != home[node.id] for edge in graph.uses(node.id))
    ]


def _edges(
    graph: Graph, home: Mapping[str, str], outputs: Mapping[str, Sequence[Node]]
) -> list[tuple[Edge, str]]:
    """List the edges that remain, each with the id of the node that it came from."""
    merged: dict[tuple[str, str], list[Edge]] = {}
    for edge in graph.edges:
        target = home.get(edge.target)
        if target is None:
            merged[edge.id, ""] = [edge]  # the operands of an operation stay apart
        elif home.get(edge.source) != target:
            merged.setdefault((edge.source, target), []).append(edge)
    counts = dict.fromkeys(outputs, 0)
    found = []
    for (_, target), parts in merged.items():
        first = parts[0]
        source, position, local, product = (
            home.get(first.source, first.source),
            first.position,
            first.local,
            first.product,
        )
        if target:
            position = counts[target]
            counts[target] += 1
            for part in parts[1:]:
                product = plus(product, part.product)
            local = _local(outputs[target], product)
        found.append((Edge(first.id, source, target or first.target, position, local, product), first.source))
    return found


def _local(outputs: Sequence[Node], product: Value | None) -> float | None:
    """Give the derivative of a bundle's only output: what came through, by what went in."""
    adjoint = outputs[0].adjoint if len(outputs) == 1 else None
    if product is None or product.number is None or adjoint is None or adjoint.number is None:
        return None
    return ratio(product.number, adjoint.number)


def _node(
    key: str, bundle: Bundle, inside: Sequence[Node], outputs: Sequence[Node], inputs: Sequence[Shape]
) -> Node:
    only = outputs[0] if len(outputs) == 1 else None
    saved = {
        tensor.node or (node.id, place): tensor for node in inside for place, tensor in enumerate(node.saved)
    }
    return Node(
        id=key,
        kind="group",
        name=only.name if only else None,
        operation=bundle.path or f"block × {bundle.times:,}",
        shape=only.shape if only else None,
        value=only.value if only else None,
        adjoint=only.adjoint if only else None,
        order=max(node.order for node in inside),
        group=Group(
            nodes=len(inside),
            leaves=sum(node.kind == "leaf" for node in inside),
            times=bundle.times,
            titles=bundle.titles,
            inputs=tuple(inputs),
            outputs=tuple(node.shape for node in outputs),
            nbytes=sum(tensor.value.nbytes for tensor in saved.values()),
        ),
    )


def _steps(graph: Graph, nodes: Mapping[str, Node], edges: Sequence[Edge], output: str) -> tuple[Step, ...]:
    if not graph.swept or graph.steps[0].product is None:
        return ()
    whole = {key for key, node in nodes.items() if node.kind != "leaf" and node.name is None}
    return backward_steps(output, graph.steps[0].product, reversed(list(nodes)), edges, whole)
