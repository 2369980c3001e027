"""The picture of a player: a card has room for all totals of its node, and a small graph has two shapes."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from course.graph import words
from course.graph.cards import SMALL, Card, Row, Word, card, fact
from course.graph.constants import SHARED
from course.graph.draw import LEGIBLE, Label, Plan, head, paint, plan, size, way
from course.graph.layout import drawn_as, drawn_once
from course.graph.model import Edge, Graph, Node, Step, Value
from course.graph.script_data import abridged, forward_sweeps, live_data

TYPICAL: str = SHARED["TYPICAL"]
# Where numbers may change there is room for a number, an entry and a row like these, if the picture still
# fits; else the script sets longer ones narrower.
ROOMS = ((TYPICAL, "−8.88", "→ [−88.8 −88.8]"), ("0.888", "8.8", "→ [8.8 8.8]"))
FEW = 8  # nodes of a graph that shall be seen whole, in a notebook and on a telephone
# Inches between a card and a label in such a graph, in one that does not fit otherwise, and where operands
# stand above results.
NEAR, CLOSER, ABOVE = "0.2", "0.12", "0.25"
# How wide a picture may be: the pixels that it has in JupyterLab at 1,280 with the side bar, and on the site
# at 390, by the smallest text there.
NOTEBOOK, TELEPHONE = 768 * SMALL / LEGIBLE, 326 * SMALL / float(SHARED["LEGIBLE_IN_HAND"])
SUM_ROOM = 19.0  # pixels below a card, for what is added to its adjoint
IDS = re.compile(r'(<g class="[\w ]+") id="([^"]+)"')

Totals = Mapping[str, list[Value | None]]


@dataclass(frozen=True)
class Drawn:
    """A picture as SVG, and how its parts move where operands stand above results; None where they cannot.

    `tall` has the size of the other shape, how far the legend goes down, how far each node moves, and for
    each edge its line, its head and how far its texts move.
    """

    svg: str
    tall: dict[str, Any] | None


@dataclass(frozen=True)
class _Shown:
    """What the sweeps show: totals by node, labels by edge, and the nodes at which numbers are added."""

    totals: Totals
    products: Mapping[str, list[str]]
    summed: frozenset[str]


def player_picture(graph: Graph) -> Drawn:
    """Draw a graph as `svg` does, with its last numbers, and with the product below each local derivative.

    Nodes and edges are marked by data-id; `data-room` is the width that an edge's texts have. A graph of few
    nodes is drawn so that it fits a notebook and a telephone, with as much room for other numbers as is left.
    """
    shown, few = _shown(graph), len(graph.nodes) <= FEW
    turns = few and not drawn_as(graph) and not any(node.group for node in graph.nodes)
    rooms = ROOMS if live_data(graph) is not None and len(graph.nodes) <= words.LARGE else ()
    for typical, near in [*((room, NEAR) for room in rooms), (None, NEAR), (None, CLOSER)]:
        cards, labels = _cards(graph, shown, typical), _labels(graph, shown, typical)
        wide = _with_room_below(plan(graph, cards, labels, near=near if few else None), shown)
        tall = _with_room_below(plan(graph, cards, labels, True, ABOVE), shown) if turns else None
        if not few or (_width(graph, wide) <= NOTEBOOK and _width(graph, tall) <= TELEPHONE):
            break
    return Drawn(marked(paint(graph, wide), "data-id"), _turned(graph, wide, tall) if tall else None)


def _shown(graph: Graph) -> _Shown:
    totals: dict[str, dict[str, Value | None]] = {node.id: {} for node in graph.nodes}
    products: dict[str, dict[str, None]] = {edge.id: {} for edge in graph.edges}
    summed = set()
    edges = {edge.id: edge for edge in graph.edges}
    for forward, steps in enumerate([graph.steps, *forward_sweeps(graph).values()]):
        complete = {step.node: step.total for step in steps}
        for step in steps:
            if step.total is not None:
                totals[step.node][words.quantity(step.total)] = abridged(graph, step.total)
            if step.kind == "sum":
                summed.add(step.node)
            if step.edge is not None:
                edge = edges[step.edge]
                factor = complete.get(edge.source if forward else edge.target)
                moved = replace(step, product=abridged(graph, step.product))
                products[step.edge][product_label(edge, factor, moved)] = None
    return _Shown(
        {key: list(each.values()) for key, each in totals.items()},
        {key: list(each) for key, each in products.items()},
        frozenset(summed),
    )


def _cards(graph: Graph, shown: _Shown, typical: tuple[str, str, str] | None) -> dict[str, Card]:
    cards = {node.id: _with_widest(_card(graph, node), shown.totals[node.id]) for node in graph.nodes}
    return {key: _with_typical(each, typical) for key, each in cards.items()} if typical else cards


def _labels(graph: Graph, shown: _Shown, typical: tuple[str, str, str] | None) -> dict[str, Label]:
    return {
        edge.id: Label(
            tuple(filter(None, (label, *shown.products[edge.id][:1]))),
            (*shown.products[edge.id], *(_typical_texts(graph, edge, typical) if typical else ())),
        )
        for edge in graph.edges
        if (label := words.edge_label(graph, edge))
    }


def _with_room_below(planned: Plan, shown: _Shown) -> Plan:
    """Make a picture as high as its cards need with a sum below each."""
    layout = planned.layout
    lowest = (
        place[1] + planned.cards[drawn_once(key)].height / 2 + SUM_ROOM
        for key, place in layout.nodes.items()
        if drawn_once(key) in shown.summed
    )
    return replace(planned, layout=replace(layout, height=max(layout.height, *lowest, 0)))


def _width(graph: Graph, planned: Plan | None) -> int:
    return size(graph, planned.layout)[0] if planned else 0


def _turned(graph: Graph, wide: Plan, tall: Plan) -> dict[str, Any]:
    """Write how the parts of a picture move from one shape to the other."""

    def moved(before: tuple[float, float] | None, after: tuple[float, float] | None) -> list[float]:
        return [after[0] - before[0], after[1] - before[1]] if before and after else [0, 0]

    width, height = size(graph, tall.layout)
    routes = [(wide.layout.edges[edge.id], tall.layout.edges[edge.id]) for edge in graph.edges]
    return {
        "size": [width, height],
        "legend": tall.layout.height - wide.layout.height,
        "nodes": [moved(wide.layout.nodes[node.id], tall.layout.nodes[node.id]) for node in graph.nodes],
        "edges": [
            [way(after, True), head(after), *moved(before.label, after.label)] for before, after in routes
        ],
    }


def _with_typical(each: Card, typical: tuple[str, str, str]) -> Card:
    """Make a card wide enough for the numbers that most values of the leaves give."""
    later = {row: _typical(row, typical) for row in each.rows if row.role in ("value", "adjoint")}
    in_line = () if any(row.grid for row in later) else tuple(later.values())
    rows = [
        replace(row, later=(*row.later, *(in_line or (later[row],)))) if row in later else row
        for row in each.rows
    ]
    return replace(each, rows=tuple(rows))


def _typical(row: Row, typical: tuple[str, str, str]) -> Row:
    number, entry, _ = typical
    grid = tuple(tuple(entry for _ in line) for line in row.grid)
    return Row(row.role, row.words if grid else (row.words[0], Word(f" = {number}")), grid, bold=row.bold)


def _typical_texts(graph: Graph, edge: Edge, typical: tuple[str, str, str]) -> tuple[str, ...]:
    number, _, array = typical
    if edge.local is None:
        return (array,)
    before, equals, _ = words.edge_label(graph, edge).rpartition(" = ")
    return f"{before}{equals}{number}", f"× {number} = {number}"


def product_label(edge: Edge, factor: Value | None, step: Step) -> str:
    """Write what an edge carries, to stand below its local derivative: × 6 = 41.46."""
    if step.product is None or edge.local is None or factor is None:
        return "" if step.product is None else f"→ {words.brief(step.product)}"
    return f"× {words.quantity(factor)} = {words.quantity(step.product)}"


def _card(graph: Graph, node: Node) -> Card:
    return card(
        graph, replace(node, value=abridged(graph, node.value), adjoint=abridged(graph, node.adjoint))
    )


def _with_widest(each: Card, totals: Iterable[Value | None]) -> Card:
    """Make a card wide enough for all totals of its adjoint's row, its value in one line with it."""
    name = Word(each.node.name or "", True, True)
    later = [replace(fact("adjoint", name, total, each.node.shape), bold=True) for total in totals]
    rows = [
        replace(row, bold=True, later=tuple(later)) if row.role == "adjoint" else row for row in each.rows
    ]
    facts = tuple(row for row in rows if row.role in ("value", "adjoint"))
    if any(row.grid for row in facts) or not later:
        return replace(each, rows=tuple(rows))
    return replace(
        each, rows=tuple(replace(row, later=row.later + facts) if row in facts else row for row in rows)
    )


def marked(picture: str, mark: str) -> str:
    """Write the ids of the shapes in a picture as marks, the same for all copies of a leaf.

    An id may stand only once in a page, and players many times.
    """
    return IDS.sub(lambda found: f'{found[1]} {mark}="{drawn_once(found[2])}"', picture)
