"""The picture that a player moves: its cards and labels have room for all that they will ever say."""

import re
from dataclasses import replace

from course.graph import words
from course.graph.cards import Card, Row, Word, card, fact
from course.graph.copies import drawn_once
from course.graph.model import Edge, Graph, Step, Value
from course.graph.story import tangents
from course.graph.svg import Label, edge_label, paint, plan


def stage(graph: Graph) -> str:
    """Draw a graph as `svg` does, with its last numbers, and with the product below each local derivative.

    Nodes and edges are marked by data-id: an id may stand only once in a page, and players many times. All
    copies of a leaf have that of the leaf.
    """
    sweeps = [graph.steps, *tangents(graph).values()]
    totals: dict[str, dict[str, Value]] = {node.id: {} for node in graph.nodes}
    products: dict[str, dict[str, None]] = {edge.id: {} for edge in graph.edges}
    edges = {edge.id: edge for edge in graph.edges}
    for forward, steps in enumerate(sweeps):
        complete = {step.node: step.total for step in steps}
        for step in steps:
            if step.total is not None:
                totals[step.node][words.quantity(step.total)] = step.total
            if step.edge is not None:
                edge = edges[step.edge]
                factor = complete.get(edge.source if forward else edge.target)
                products[step.edge][product_label(edge, factor, step)] = None
    cards = {node.id: _roomy(card(graph, node), list(totals[node.id].values())) for node in graph.nodes}
    labels = {
        edge.id: Label(tuple(filter(None, (label, *list(products[edge.id])[:1]))), tuple(products[edge.id]))
        for edge in graph.edges
        if (label := edge_label(graph, edge))
    }
    return re.sub(
        r'(<g class="[\w ]+") id="([^"]+)"',
        lambda found: f'{found[1]} data-id="{drawn_once(found[2])}"',
        paint(graph, plan(graph, cards, labels)),
    )


def product_label(edge: Edge, factor: Value | None, step: Step) -> str:
    """Write what an edge carries, to stand below its local derivative: × 6 = 41.46."""
    if step.product is None or edge.local is None or factor is None:
        return "" if step.product is None else f"→ {words.shape(step.product.shape)}"
    return f"× {words.quantity(factor)} = {words.quantity(step.product)}"


def _roomy(each: Card, totals: list[Value]) -> Card:
    """Make a card wide enough for every total that its adjoint's row will show."""
    rows = [_with_room(each, row, totals) if row.role == "adjoint" else row for row in each.rows]
    return replace(each, rows=tuple(rows))


def _with_room(each: Card, row: Row, totals: list[Value]) -> Row:
    name = Word(each.node.name or "", True, True)
    return replace(row, later=tuple(fact("adjoint", name, total, total.shape) for total in totals))
