"""Plans the picture of a backward pass that runs by itself: across the page, or down it for telephones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from course.graph import Graph, words
from course.graph.cards import Card, Word, card, fact
from course.graph.draw import Label, Plan, plan
from course.graph.layout import Layout, Point, Route, lay_out
from course.graph.model import Value

FRAME = 8.0  # pixels, of the output's second line
GAP = 24.0  # pixels, for curves that turn aside


def planned(graph: Graph, narrow: bool) -> Plan:
    """Plan a graph: operands left and results right, or if `narrow`, operands above and results below."""
    cards = {node.id: card(graph, node) for node in graph.nodes} | _with_room(graph)
    labels = {edge.id: Label((words.edge_label(graph, edge),)) for edge in graph.edges}
    return (_upright if narrow else plan)(graph, cards, labels)


def _with_room(graph: Graph) -> dict[str, Card]:
    """Lay out the cards whose adjoint is a sum, with room for what it is before it is complete."""
    totals: dict[str, list[Value]] = {}
    for step in graph.steps:
        if step.total is not None:
            totals.setdefault(step.node, []).append(step.total)
    cards = {}
    for key, (*before, _) in totals.items():
        if before:
            node = graph.node(key)
            name = Word(node.name or "", name=True, bar=True)
            later = tuple(fact("adjoint", name, total, node.shape) for total in before)
            own = card(graph, node)
            # as wide as bold letters, for fonts that are wider than most
            rows = [replace(r, later=later, bold=True) if r.role == "adjoint" else r for r in own.rows]
            cards[key] = replace(own, rows=tuple(rows))
    return cards


def _upright(graph: Graph, cards: Mapping[str, Card], labels: Mapping[str, Label]) -> Plan:
    """Lay a graph out on its side, with every box turned, and exchange the axes of what comes out."""
    sizes = {key: (each.height + FRAME, each.width + FRAME) for key, each in cards.items()}
    on_its_side = lay_out(graph, sizes, {key: _turned(label.size) for key, label in labels.items()}, GAP)
    nodes = {key: _turned(middle) for key, middle in on_its_side.nodes.items()}
    edges = {key: _turned_route(route) for key, route in on_its_side.edges.items()}
    return Plan(cards, labels, Layout(on_its_side.height, on_its_side.width, nodes, edges))


def _turned(point: Point) -> Point:
    return point[1], point[0]


def _turned_route(route: Route) -> Route:
    parts = tuple(tuple(map(_turned, part)) for part in route.parts)
    return Route(parts, _turned(route.tip), _turned(route.label) if route.label else None)
