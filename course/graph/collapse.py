"""Collapsing large graphs: by module where parameters' names tell modules, and where the same comes again."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from course.graph import words
from course.graph.layout import MOST
from course.graph.model import Graph, Node
from course.graph.quotient import Bundle, quotient

FEWEST = 4  # nodes that say more of a graph than its name
ROOM = 100  # nodes that a collapsed graph shall have at most, where that can be had
LIMIT = 2000  # nodes that are laid out in a few seconds
PERIOD = 256  # nodes of a block that comes again, at most
TIMES = 3  # how often a block must come to be drawn once
LAYOUT = {"alias", "as_strided", "clone", "expand", "permute", "select", "slice", "split", "squeeze", "t"}
LAYOUT |= {"to_copy", "transpose", "unsafe_view", "unsqueeze", "view"}  # operations that compute nothing
NEAR = 4  # operations back to where an operand counts as wired alike


def collapse(graph: Graph) -> Graph:
    """Draw together what a graph of more than `MOST` nodes consists of; a smaller one is returned as it is.

    Operations go by the module whose parameters they use, those without parameters with the operand before
    them, and what follows the last parameter stays. A run of equal blocks becomes one node, and so do equal
    blocks of such nodes. Raises ValueError where more than `LIMIT` nodes would remain.
    """
    if len(graph.nodes) <= MOST:
        return graph
    tokens = _modules(graph)
    while len(tokens) > ROOM:
        shorter = _runs(tokens)
        if len(shorter) == len(tokens):
            break
        tokens = shorter
    collapsed = quotient(
        graph, [token.bundle for token in tokens if token.bundle.path or token.bundle.times > 1]
    )
    if len(collapsed.nodes) > LIMIT:
        raise ValueError(
            f"this graph has {len(graph.nodes):,} nodes, and too few of them repeat or belong to a module to "
            "be drawn as one: record a part, from tensors in the middle on, with record(output, inputs=[…])"
        )
    return collapsed


@dataclass(frozen=True)
class Token:
    """Operations in a row, and a label that equal ones share."""

    bundle: Bundle
    label: Hashable


def _modules(graph: Graph) -> list[Token]:
    """Bundle operations by module, as finely as there is room for; one token each where nothing tells."""
    operations = [node for node in graph.nodes if node.kind != "leaf"]
    paths = _paths(graph, operations)
    finest = max((len(path) for path in paths), default=0)
    levels = [_level(graph, operations, [path[:depth] for path in paths]) for depth in range(finest, 0, -1)]
    fitting = [level for level in levels if FEWEST <= len(level) <= ROOM]
    return (fitting or levels[:1] or [_level(graph, operations, paths)])[0]


def _paths(graph: Graph, operations: Sequence[Node]) -> list[tuple[str, ...]]:
    """Give the module that each operation belongs to, as the parts of its path; () where nothing tells."""
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
