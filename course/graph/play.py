"""`play`: a picture that is stepped through; all it needs travels with the page, and nothing is fetched."""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from importlib import resources
from typing import Any

from course.graph import words
from course.graph.cards import Card, Row, Word, card, fact
from course.graph.collapse import collapse
from course.graph.draw import SHRINK, Label, paint, plan
from course.graph.layout import NoDotError, drawn_once
from course.graph.model import Edge, Graph, Node, Step, Value
from course.graph.record import record_from
from course.graph.script_data import Quantity, abridged, forward_sweeps, quantity, script_data

UNKNOWN = "·"  # for a value that nothing kept
NEXT_ROW = ";\n"
# JupyterLab takes styles, scripts and SVG out of an output that is not trusted, and leaves images in: so the
# picture comes as an image, which the script takes apart. An image does not know the colours of its page.
PAPER = "color:#1b1b1b;background:#fff"
DISTRUST = "To step through it, run the cell or trust the notebook (command palette: Trust Notebook)."


def play(graph: Any) -> "Player":
    """Show a Graph's sweeps step by step, or record an engine Tensor or a torch Tensor and show that.

    Values run forward, then adjoints backward; where every local derivative is a number, a sweep of tangents
    for each input can be chosen in their place. Large graphs are drawn together, and refused, as `draw` does.
    """
    return Player(graph if isinstance(graph, Graph) else record_from(sys._getframe(1), graph))


class Player:
    """A Graph with the buttons to step through it; a notebook shows it.

    `description` is one sentence for a text alternative.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph = collapse(graph)
        self.description = words.describe(graph)

    def html(self) -> str:
        """Return the player as HTML for a page to hold: picture, table, data, style and script.

        Raises NoDotError where there is no program to lay out the picture.
        """
        data = script_data(self.graph)
        # In a script "</" and "<!--" would end it early.
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        title = escape(self.graph.node(self.graph.output).name or self.graph.output)
        parts = [
            f'<div class="backward-player" role="group" aria-label="Player of the graph of {title}" '
            'aria-keyshortcuts="ArrowLeft ArrowRight Space Home End" tabindex="0">',
            f"<style>{_file('play.css')}</style>",
            f'<p class="distrust">{DISTRUST}</p>',
            f'<div class="views"><div class="picture" style="overflow:auto">{_image(self.graph, title)}',
            f"</div>{_table(self.graph, data)}</div>",
            '<div class="texts">',
            '<div class="equations roomy" aria-hidden="true"><p class="equation"></p></div>',
            '<div class="captions roomy">',
            f'<p class="caption" aria-live="polite">{escape(self.description)}</p></div></div>',
            f'<script type="application/json">{text}</script>',
            f"<script>(() => {{\n'use strict';\n{_file('steps.js')}\n{_file('play.js')}\n}})();</script>",
            "</div>",
        ]
        return "\n".join(parts)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """Show the player, or one sentence with the cure where nothing can lay out the picture."""
        try:
            return {"text/plain": self.description, "text/html": self.html()}
        except NoDotError as error:
            return {"text/plain": str(error), "text/html": f"<p>{escape(str(error))}</p>"}


def phrase(said: Quantity) -> str:
    """Write a quantity of the script's data in one phrase; steps.js has the same."""
    if said is None:
        return "None"
    if isinstance(said, dict):
        return f"({said['shape']})"
    return said if isinstance(said, str) else f"[{'; '.join(' '.join(row) for row in said)}]"


def _table(graph: Graph, data: Mapping[str, Any]) -> str:
    """Write the table with the last numbers, which is what a page without scripts shows."""
    head = (
        '<tr><th scope="col">node</th><th scope="col">value</th><th scope="col" class="sum">adjoint</th></tr>'
    )
    rows = []
    for place, (node, entry) in enumerate(zip(graph.nodes, data["nodes"], strict=True)):
        if not entry["named"]:
            continue
        value = quantity(abridged(graph, node.value)) or entry["value"]
        cells = [
            phrase(value) if value else UNKNOWN,
            phrase(quantity(abridged(graph, node.adjoint))) if graph.swept else "",
        ]
        rows.append(
            f'<tr data-node="{place}"><th scope="row">{escape(entry["name"])}</th>'
            + "".join(f"<td>{escape(cell.replace('; ', NEXT_ROW))}</td>" for cell in cells)
            + "</tr>"
        )
    return f'<div class="numbers"><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>'


def _image(graph: Graph, title: str) -> str:
    """Write the picture as an image."""
    picture = player_svg(graph)
    width = int(picture.split('width="', 1)[1].split('"', 1)[0])
    picture = picture.replace("<svg ", f'<svg style="{PAPER}" ', 1)
    for sign, code in (("%", "%25"), ("#", "%23"), ("&", "&amp;"), ("'", "&#39;")):
        picture = picture.replace(sign, code)
    return (
        f"<img alt='Graph of {title}' style='max-width:100%;min-width:{SHRINK * width:.0f}px;height:auto' "
        f"src='data:image/svg+xml;charset=utf-8,{picture}'>"
    )


def _file(name: str) -> str:
    """Read a file of the package without indentation and comments: pages must stay small."""
    text = resources.files("course.graph").joinpath(name).read_text(encoding="utf-8")
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def player_svg(graph: Graph) -> str:
    """Draw a graph as `svg` does, with its last numbers, and with the product below each local derivative.

    Nodes and edges are marked by data-id: an id may stand only once in a page, and players many times. All
    copies of a leaf have that of the leaf.
    """
    sweeps = [graph.steps, *forward_sweeps(graph).values()]
    totals: dict[str, dict[str, Value | None]] = {node.id: {} for node in graph.nodes}
    partial_sums: dict[str, list[str]] = {node.id: [] for node in graph.nodes}
    products: dict[str, dict[str, None]] = {edge.id: {} for edge in graph.edges}
    edges = {edge.id: edge for edge in graph.edges}
    for forward, steps in enumerate(sweeps):
        complete = {step.node: step.total for step in steps}
        for step in steps:
            if step.total is not None:
                totals[step.node][words.quantity(step.total)] = abridged(graph, step.total)
            if step.kind == "travel" and step.total is not step.product:
                partial_sums[step.node].append(_partial_sum(step))
            if step.edge is not None:
                edge = edges[step.edge]
                factor = complete.get(edge.source if forward else edge.target)
                products[step.edge][product_label(edge, factor, step)] = None
    cards = {
        node.id: _with_widest(_card(graph, node), list(totals[node.id].values()), partial_sums[node.id])
        for node in graph.nodes
    }
    labels = {
        edge.id: Label(tuple(filter(None, (label, *list(products[edge.id])[:1]))), tuple(products[edge.id]))
        for edge in graph.edges
        if (label := words.edge_label(graph, edge))
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


def _card(graph: Graph, node: Node) -> Card:
    return card(
        graph, replace(node, value=abridged(graph, node.value), adjoint=abridged(graph, node.adjoint))
    )


def _partial_sum(step: Step) -> str:
    """Write a sum while a product arrives: −0.4161 + 3."""
    if step.total is None or step.product is None or step.total.number is None or step.product.number is None:
        return ""
    arrived = words.number(step.product.number)
    return f"{words.number(step.total.number)} + {f'({arrived})' if arrived[0] == '−' else arrived}"


def _with_widest(each: Card, totals: list[Value | None], partial_sums: list[str]) -> Card:
    """Make a card wide enough for all that its adjoint's row will show, its value in one line with it."""
    rows = [
        _with_room(each, row, totals, partial_sums) if row.role == "adjoint" else row for row in each.rows
    ]
    facts = tuple(row for row in rows if row.role in ("value", "adjoint"))
    if any(row.grid for row in facts) or not totals:
        return replace(each, rows=tuple(rows))
    return replace(
        each, rows=tuple(replace(row, later=row.later + facts) if row in facts else row for row in rows)
    )


def _with_room(each: Card, row: Row, totals: list[Value | None], partial_sums: list[str]) -> Row:
    name = Word(each.node.name or "", True, True)
    sums = [Row("adjoint", (name, Word(f" = {text}"))) for text in partial_sums if text and not row.grid]
    return replace(row, later=(*(fact("adjoint", name, total, each.node.shape) for total in totals), *sums))
