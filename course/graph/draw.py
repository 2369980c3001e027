"""`draw`: a picture of a recorded computation that notebooks show and `graphviz` can render to files."""

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, Literal

import graphviz

from course.graph import words
from course.graph.cards import SMALL, Card, Row, Word, card
from course.graph.collapse import collapse
from course.graph.constants import SHARED
from course.graph.layout import (
    Layout,
    NoDotError,
    Point,
    Route,
    attributes,
    choose,
    drawn_as,
    lay_out,
)
from course.graph.model import Edge, Graph
from course.graph.paint import BLUE, DEFAULTS, GREEN, GREY, LINE, PURPLE, legend, outline, px, row, text
from course.graph.record import record_from
from course.graph.words import LARGE, width

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
MARGIN = 6.0
LABEL_MARGIN = 4.0  # left and right of a label together
THEMES = (
    "<style>:root{color:#1b1b1b;color-scheme:light dark}"
    "@media (prefers-color-scheme:dark){:root{color:#eee}}</style>"
)
# What is written on an edge covers the lines that cross it, in the colour of the page: JupyterLab's, the
# site's, or any. Paper does not scroll.
STYLE = (
    "<style>.course-graph .edge text{paint-order:stroke;stroke-width:5px;stroke-linejoin:round;"
    "stroke:var(--jp-layout-color0,var(--pst-color-background,Canvas))}"
    "@media print{.course-graph{max-width:100%!important;min-width:0!important;height:auto!important}}"
    "</style>"
)
LEGIBLE: float = SHARED["LEGIBLE"]  # pixels, the smallest text in a page
SHRINK = LEGIBLE / SMALL  # a wide picture is shrunk to its page by no more than this; then it scrolls


def draw(graph: Any) -> "Picture":
    """Draw a Graph, or record an engine Tensor or a torch Tensor and draw that.

    Inputs stand left, the output right. Each card gives the operation, its value and its adjoint, and what
    was saved for backward; each arrow the local derivative. Of more than 300 nodes, those of one module, or
    of blocks that come again and again, are drawn as one. Raises as `record` does, and ValueError for more
    than 2,000 nodes that nothing draws together.
    """
    return Picture(graph if isinstance(graph, Graph) else record_from(sys._getframe(1), graph))


class Picture(graphviz.Digraph):
    """A `graphviz.Digraph` of a Graph; in a notebook it shows as SVG in the colours of the page.

    `description` is one sentence for a text alternative. Rendering raises NoDotError, with the cure, where
    there is no program to lay out the picture.
    """

    def __init__(self, graph: Graph) -> None:
        graph = collapse(graph)
        super().__init__("graph", format="svg", graph_attr=attributes(len(graph.nodes)))
        self.graph = graph
        self.description = words.describe(graph)
        del self.body  # the base class has set it; here it is written when it is asked for

    @cached_property
    def body(self) -> list[str]:
        """The graph in dot's own language, for formats other than SVG."""
        return dot_lines(self.graph)

    def svg(self) -> str:
        """Return the picture as SVG for a page to hold; its text has the page's colour."""
        return svg(self.graph)

    def pipe(self, format: str | None = None, *args: Any, **options: Any) -> Any:
        """Return the picture in a format, as graphviz.Digraph.pipe does."""
        form = format or self.format
        choose(form)
        if form != "svg":
            return super().pipe(format, *args, **{"quiet": True} | options)
        text = svg(self.graph, standalone=True)
        return text if options.get("encoding") else text.encode()

    def render(self, *args: Any, **options: Any) -> str:
        """Write the picture to a file and return its path, as graphviz.Digraph.render does."""
        form = options.get("format") or self.format
        choose(form)
        path = str(super().render(*args, **{"quiet": True} | options))
        if form == "svg":
            Path(path).write_text(svg(self.graph, standalone=True), encoding="utf-8")
        return path

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None, **_: Any
    ) -> dict[str, str]:
        """Show the picture: as HTML around SVG, which takes the page's colours, and as SVG alone."""
        bundle = {"text/plain": self.description}
        try:
            inline = self.svg()
            bundle["text/html"] = f'<div style="overflow-x:auto">{fluid(inline)}</div>'
            bundle["image/svg+xml"] = svg(self.graph, standalone=True)
        except NoDotError as error:
            bundle = {"text/plain": str(error), "text/html": f"<p>{escape(str(error))}</p>"}
        wanted = set(include or bundle) - set(exclude or ())
        return {kind: data for kind, data in bundle.items() if kind in wanted}


def dot_lines(graph: Graph) -> list[str]:
    """Write nodes and edges in dot's language, with what dot can draw of their cards by itself."""
    plain = graphviz.Digraph()
    plain.attr(
        "node", fontname="Helvetica", fontsize="12", style="rounded,filled", shape="box", margin="0.12,0.06"
    )
    plain.attr("edge", fontname="Helvetica", fontsize="10", color=GREY, arrowsize="0.7")
    for node in graph.nodes:
        colour = PURPLE if node.custom else GREEN if node.kind == "leaf" else BLUE
        extra = {"peripheries": "2"} if node.id == graph.output else {}
        label = graphviz.escape("\n".join(map(_line, card(graph, node).rows)))
        plain.node(node.id, label, id=node.id, color=colour, fillcolor=colour + "18", **extra)
    for edge in graph.edges:
        style = "dashed" if graph.swept and edge.product is None else "solid"
        plain.edge(edge.source, edge.target, words.edge_label(graph, edge), id=edge.id, style=style)
    return list(plain.body)


def fluid(text: str) -> str:
    """Let SVG shrink to the width of its page, but not by so much that it cannot be read."""
    width = int(text.split('width="', 1)[1].split('"', 1)[0])
    style = f"max-width:max(100%, {math.ceil(SHRINK * width)}px);height:auto"
    return text.replace("<svg ", f'<svg style="{style}" ', 1)


def _line(row: Row) -> str:
    """Write a row of a card as plain text, for formats that dot draws itself."""
    grid = "; ".join(" ".join(cells) for cells in row.grid)
    chips = ", ".join("".join(map(_plain, chip)) for chip in row.chips)
    return "".join(map(_plain, row.words)) + (f"[{grid}]" if grid else "") + chips


def _plain(word: Word) -> str:
    return words.barred(word.text) if word.bar else words.pretty(word.text) if word.name else word.text


@dataclass(frozen=True)
class Label:
    """What is written on an edge, line by line; `later` is what else it will say in one that moves.

    Where a line changes while it is seen, it begins at the same place: its `anchor` is "start".
    """

    lines: tuple[str, ...]
    later: tuple[str, ...] = ()
    anchor: Literal["start", "middle"] = "middle"

    @property
    def size(self) -> tuple[float, float]:
        """The room that the label needs."""
        wide = max(width(line, SMALL) for line in self.lines + self.later)
        return wide + LABEL_MARGIN, (SMALL + 5) * len(self.lines)


@dataclass(frozen=True)
class Plan:
    """What a picture says, and where it goes."""

    cards: Mapping[str, Card]
    labels: Mapping[str, Label]
    layout: Layout


def svg(graph: Graph, standalone: bool = False) -> str:
    """Draw a graph as SVG. A standalone one chooses its text colour itself; else the page around does."""
    return paint(graph, plan_of(graph), standalone)


def plan_of(graph: Graph) -> Plan:
    """Plan a picture that stands still."""
    cards = {node.id: card(graph, node) for node in graph.nodes}
    labels = {edge.id: Label((label,)) for edge in graph.edges if (label := words.edge_label(graph, edge))}
    return plan(graph, cards, labels)


def plan(
    graph: Graph,
    cards: Mapping[str, Card],
    labels: Mapping[str, Label],
    down: bool = False,
    near: str | None = None,
) -> Plan:
    """Find a place for cards and labels; `down` and `near` are those of `lay_out`.

    In a large graph that stands still labels are written at the arrows' tips, where there is room enough.
    """
    sizes = {
        key: (each.width + _frame(graph, key), each.height + _frame(graph, key))
        for key, each in cards.items()
    }
    rooms = {key: label.size for key, label in labels.items()}
    if len(graph.nodes) <= LARGE or any(label.later for label in labels.values()):
        return Plan(cards, labels, lay_out(graph, sizes, rooms, down=down, near=near))
    widest = max((width for width, _ in rooms.values()), default=0.0)
    return Plan(cards, labels, lay_out(graph, sizes, {}, widest))


def size(graph: Graph, layout: Layout) -> tuple[int, int]:
    """Return width and height of a picture, with its legend."""
    below = legend(graph)
    wide = max(layout.width, *(line.width for line in below), 0) + 2 * MARGIN
    return math.ceil(wide), math.ceil(layout.height + 2 * MARGIN + LINE * len(below))


def paint(graph: Graph, plan: Plan, standalone: bool = False) -> str:
    """Draw a graph as planned."""
    layout, below = plan.layout, legend(graph)
    wide, high = size(graph, layout)
    said = escape(words.describe(graph), quote=True)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="course-graph" role="img" aria-label="{said}" '
        f'width="{wide}" height="{high}" viewBox="{px(-MARGIN)} {px(-MARGIN)} {wide} {high}" '
        f'font-family="{FONT}" {DEFAULTS} fill="currentColor">',
        f"<title>{said}</title>",
        THEMES if standalone else "",
        STYLE,
        shapes(graph, plan),
        *(line.draw(layout.height + LINE * place + 4) for place, line in enumerate(below)),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def shapes(graph: Graph, plan: Plan) -> str:
    """Draw the edges and the nodes of a graph as planned."""
    layout, copies = plan.layout, drawn_as(graph)
    return "\n".join(
        [
            *(_edge(graph, edge, layout.edges[edge.id], plan.labels.get(edge.id)) for edge in graph.edges),
            *(
                _node(graph, each, place, layout.nodes[place])
                for key, each in plan.cards.items()
                for place in copies.get(key, {}).values() or [key]
            ),
        ]
    )


def _frame(graph: Graph, key: str) -> float:
    return 8.0 if key == graph.output or graph.node(key).group else 0.0


def _edge(graph: Graph, edge: Edge, route: Route, label: Label | None) -> str:
    through = label is not None and len(label.lines) > 1  # the line runs on between two lines of text
    room = f' data-room="{px(label.size[0] - LABEL_MARGIN)}"' if label and through else ""
    silent = graph.swept and edge.product is None
    dash = ' stroke-dasharray="4 3"' if silent else ""
    parts = [
        f'<g class="edge{" silent" if silent else ""}" id="{edge.id}"{room}>',
        f"<title>{escape(words.edge_title(graph, edge))}</title>",
        f'<path d="{way(route, through)}" fill="none" stroke="{GREY}"{dash}/>',
        f'<polygon points="{head(route)}" fill="{GREY}"/>',
    ]
    if label and route.label:
        x, y = route.label
        y -= (SMALL + 5) * (len(label.lines) - 1) / 2
        x -= label.size[0] / 2 - 3 if label.anchor == "start" else 0
        for role, line in zip(("local", "product"), label.lines, strict=False):
            parts.append(text([Word(line)], x, y, SMALL, role, label.anchor))
            y += SMALL + 5
    elif label:
        (_, start), (x, y) = route.parts[0][0], route.tip
        side = 8 if start < y - 1 else -8  # where the edge does not come from
        parts.append(text([Word(label.lines[0])], x - 9, y + side, SMALL, "local", "end"))
    return "".join(parts) + "</g>"


def way(route: Route, through: bool = False) -> str:
    """Write the line of an edge; it may run on through the label's place."""
    curves = [[f"{px(x)},{px(y)}" for x, y in part] for part in route.parts]
    return "".join(
        f"{'L' if at and through else 'M'}{first} C{' '.join(rest)}"
        for at, (first, *rest) in enumerate(curves)
    )


def head(route: Route) -> str:
    """Write the corners of an arrow's head, the tip first."""
    (x, y), (tx, ty) = route.parts[-1][-1], route.tip
    dx, dy = (tx - x) * 0.34, (ty - y) * 0.34
    corners = [(tx, ty), (x - dy, y + dx), (x + dy, y - dx)]
    return " ".join(f"{px(a)},{px(b)}" for a, b in corners)


def _node(graph: Graph, each: Card, place: str, middle: Point) -> str:
    node = each.node
    x, y = middle
    left, top = x - each.width / 2, y - each.height / 2
    marks = [
        "custom" if node.custom else node.kind,
        *(["output"] if node.id == graph.output else []),
        *(["copy"] if place != node.id else []),
    ]
    parts = [
        f'<g class="node {" ".join(marks)}" id="{place}">',
        f"<title>{escape(words.node_title(graph, node))}</title>",
        outline(node, left, top, each.width, each.height, node.id == graph.output, place != node.id),
    ]
    y = top + 5
    for line in each.rows:
        parts.append(row(line, x, y))
        y += line.height
    return "".join(parts) + "</g>"
