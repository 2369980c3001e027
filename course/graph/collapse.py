"""Collapsing large graphs: by module where the names of parameters show modules, and by repetition."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from course.graph import words
from course.graph.model import Edge, Graph, Group, Node, Step, Value, backward_steps, plus, ratio
from course.graph.words import COLLAPSE_ABOVE, LARGE

FEWEST = 4  # nodes that say more of a graph than its name
ROOM = 100  # nodes that a collapsed graph shall have at most, where that can be had
LIMIT = 2000  # nodes that are laid out in a few seconds
PERIOD = 256  # nodes of a block that comes again, at most
TIMES = 3  # how often a block must come to be drawn once
LAYOUT = {"alias", "as_strided", "clone", "expand", "permute", "select", "slice", "split", "squeeze", "t"}
LAYOUT |= {"to_copy", "transpose", "unsafe_view", "unsqueeze", "view"}  # operations that compute nothing
NEAR = 4  # operations back to where an operand counts as wired alike

Shape = tuple[int, ...] | None


def collapse(graph: Graph) -> Graph:
    """Draw parts of a graph of more than `COLLAPSE_ABOVE` nodes as one; return a smaller one as it is.

    Operations go by the module whose parameters they use, those without parameters with the operand before
    them, and what follows the last parameter stays. A run of equal blocks becomes one node, and so do equal
    blocks of such nodes. Raises ValueError where more than `LIMIT` nodes would remain.
    """
    if len(graph.nodes) <= COLLAPSE_ABOVE:
        return graph
    collapsed = quotient(graph, _bundles(graph))
    if len(collapsed.nodes) > LIMIT:
        raise ValueError(
            f"this graph has {len(graph.nodes):,} nodes, and too few of them can be merged because they "
            "repeat or belong to a module: record only a part of it with record(output, inputs=[…])"
        )
    return collapsed


def _bundles(graph: Graph) -> "list[Bundle]":
    """Find what is drawn as one, so that there is room for the rest."""
    tokens = _modules(graph)
    while len(tokens) > ROOM:
        shorter = _runs(tokens)
        if len(shorter) == len(tokens):
            break
        tokens = shorter
    return [token.bundle for token in tokens if token.bundle.path or token.bundle.times > 1]


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
        """The bundle's titles as a part of a larger block."""
        if self.times == 1:
            return self.titles
        inside = " ".join(self.titles[:3]) + (" …" if len(self.titles) > 3 else "")
        return (f"({inside}) × {self.times}",)


@dataclass(frozen=True)
class Token:
    """Operations in a row, and a label that equal ones share."""

    bundle: Bundle
    label: Hashable


def _modules(graph: Graph) -> list[Token]:
    """Bundle operations by module, as finely as there is room for; without names, one token an operation."""
    operations = [node for node in graph.nodes if node.kind not in ("leaf", "input")]
    paths = _paths(graph, operations)
    finest = max((len(path) for path in paths), default=0)
    levels = [_level(graph, operations, [path[:depth] for path in paths]) for depth in range(finest, 0, -1)]
    fitting = [level for level in levels if FEWEST <= len(level) <= ROOM]
    return (fitting or levels[:1] or [_level(graph, operations, paths)])[0]


def _paths(graph: Graph, operations: Sequence[Node]) -> list[tuple[str, ...]]:
    """Give the module that each operation belongs to, as the parts of its path; () where no name shows it."""
    found: dict[str, tuple[str, ...]] = {
        leaf.id: tuple(leaf.name.split(".")[:-1])
        for leaf in graph.nodes
        if leaf.kind == "leaf" and leaf.name and "." in leaf.name
    }
    parameters = set(found)  # and what shows one in another layout
    order: dict[str, int] = {}
    last = 0
    for place, node in enumerate(operations):
        sources = [edge.source for edge in graph.operands(node.id)]
        given = [found[source] for source in sources if source in parameters]
        if given:
            found[node.id] = _common(given)
            last = place
        else:
            before = max((source for source in sources if source in order), key=order.__getitem__, default="")
            found[node.id] = found.get(before, ())
        if node.operation in LAYOUT and parameters.issuperset(sources):
            parameters.add(node.id)
        order[node.id] = place
    # What follows the last parameter may be the loss, which is no part of the last module.
    return [found[node.id] if place <= last else () for place, node in enumerate(operations)]


def _common(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    alike = [parts[0] for parts in zip(*paths, strict=False) if len(set(parts)) == 1]
    return tuple(alike)


def _level(graph: Graph, operations: Sequence[Node], paths: Sequence[tuple[str, ...]]) -> list[Token]:
    """Make a token of each stretch of operations of one module, and of each operation of none."""
    places = {node.id: place for place, node in enumerate(operations)}
    stretches: list[list[int]] = []
    for place, path in enumerate(paths):
        same = path and stretches and paths[stretches[-1][-1]] == path
        if same or operations[place].kind == "result":  # which belongs to the operation before it
            stretches[-1].append(place)
        else:
            stretches.append([place])
    tokens = []
    for stretch in stretches:
        nodes = [operations[place] for place in stretch]
        labels = tuple(_label(graph, node, places) for node in nodes)
        titles = tuple(words.symbol(node) for node in nodes if node.kind == "operation")
        keys = tuple(node.id for node in nodes)
        tokens.append(Token(Bundle(keys, ".".join(paths[stretch[0]]), titles), labels))
    return tokens


def _label(graph: Graph, node: Node, places: dict[str, int]) -> Hashable:
    wires: list[Hashable] = []
    for edge in graph.operands(node.id):
        back = places[node.id] - places[edge.source] if edge.source in places else None
        shape = graph.node(edge.source).shape
        wires.append((edge.position, shape, "leaf" if back is None else back if back <= NEAR else "far"))
    return node.kind, node.operation, node.custom, node.order, node.shape, tuple(wires)


def _runs(tokens: Sequence[Token]) -> list[Token]:
    """Make one token of each run of equal blocks of tokens."""
    numbers: dict[Hashable, int] = {}
    labels = [numbers.setdefault(token.label, len(numbers)) for token in tokens]
    shorter: list[Token] = []
    place = 0
    while place < len(tokens):
        period, times = _run(labels, place)
        if times < TIMES:
            shorter.append(tokens[place])
            place += 1
            continue
        run = tokens[place : place + period * times]
        titles = tuple(title for token in run[:period] for title in token.bundle.summary)
        keys = tuple(key for token in run for key in token.bundle.nodes)
        label = ("run", times, *(token.label for token in run[:period]))
        shorter.append(Token(Bundle(keys, "", titles, times), label))
        place += period * times
    return shorter


def _run(labels: Sequence[int], start: int) -> tuple[int, int]:
    """Find the longest run of equal blocks from a place on: the length of a block, and how many there are."""
    best = (1, 1)
    for period in range(1, min(PERIOD, (len(labels) - start) // TIMES) + 1):
        if labels[start] != labels[start + period]:
            continue
        end = start + period
        while end < len(labels) and labels[end] == labels[end - period]:
            end += 1
        times = (end - start) // period
        if times >= TIMES and period * times > best[0] * best[1]:
            best = (period, times)
    return best


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
    outputs = {key: _group_outputs(graph, inside, home) for key, inside in members.items()}
    edges = _group_edges(graph, home, outputs)
    inputs: dict[str, list[Shape]] = {key: [] for key in found}
    for edge, source in edges:
        if edge.target in inputs:
            inputs[edge.target].append(graph.node(source).shape)
    last = {bundle.nodes[-1]: key for key, bundle in found.items()}  # operands stand before it
    nodes = {}
    for node in graph.nodes:
        if node.id in last:
            key = last[node.id]
            held = _held(graph, found[key], members[key])
            nodes[key] = _group_node(key, found[key], members[key], outputs[key], inputs[key], held)
        elif node.id not in home:
            nodes[node.id] = replace(node, rule=None)  # its operands may be inside a group now
    output = home.get(graph.output, graph.output)
    small = Graph(
        tuple(nodes.values()), tuple(edge for edge, _ in edges), (), output, graph.source, graph.note
    )
    if not graph.swept or graph.steps[0].product is None:
        return small
    return replace(small, steps=backward_steps(small, graph.steps[0].product, reversed(nodes)))


def _own_leaves(graph: Graph, bundle: Bundle, home: Mapping[str, str]) -> list[str]:
    key = home[bundle.nodes[0]]
    sources = dict.fromkeys(edge.source for node in bundle.nodes for edge in graph.operands(node))
    leaves = [graph.node(source) for source in sources if graph.node(source).kind == "leaf"]
    named = [leaf for leaf in leaves if bundle.times > 1 or (leaf.name or "").startswith(f"{bundle.path}.")]
    return [leaf.id for leaf in named if all(home.get(edge.target) == key for edge in graph.uses(leaf.id))]


def _group_outputs(graph: Graph, inside: Sequence[Node], home: Mapping[str, str]) -> list[Node]:
    return [
        node
        for node in inside
        if node.id == graph.output
        or any(home.get(edge.target) != home[node.id] for edge in graph.uses(node.id))
    ]


def _group_edges(
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
        edge = replace(parts[0], source=home.get(parts[0].source, parts[0].source))
        if target:
            product = reduce(plus, (part.product for part in parts))
            local = _group_local(outputs[target], product)
            edge = replace(edge, target=target, position=counts[target], local=local, product=product)
            counts[target] += 1
        found.append((edge, parts[0].source))
    return found


def _group_local(outputs: Sequence[Node], product: Value | None) -> float | None:
    """Give the derivative of a bundle's only output: what came through, by what went in."""
    adjoint = outputs[0].adjoint if len(outputs) == 1 else None
    if product is None or product.number is None or adjoint is None or adjoint.number is None:
        return None
    return ratio(product.number, adjoint.number)


def _held(graph: Graph, bundle: Bundle, inside: Sequence[Node]) -> Graph | None:
    """Cut out the first of a bundle's blocks; parts of a large one are drawn as one in their turn."""
    block = bundle.nodes[: len(bundle.nodes) // bundle.times]
    used = {edge.source for key in block for edge in graph.operands(key)}
    held = _part(graph, block, {node.id for node in inside if node.kind == "leaf" and node.id in used})
    if len(held.nodes) > LARGE:
        smaller = [each for each in _bundles(held) if len(each.nodes) < len(block)]
        held = quotient(held, smaller) if smaller else held
    return held if len(held.nodes) <= COLLAPSE_ABOVE else None


def _group_node(
    key: str,
    bundle: Bundle,
    inside: Sequence[Node],
    outputs: Sequence[Node],
    inputs: Sequence[Shape],
    held: Graph | None,
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
            inside=held,
        ),
    )


def _part(graph: Graph, operations: Sequence[str], leaves: Collection[str]) -> Graph:
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
