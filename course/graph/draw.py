"""`draw`: a picture of a recorded computation that notebooks show and `graphviz` can render to files."""

import sys
from collections.abc import Iterable
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import graphviz

from course.graph import words
from course.graph.cards import Row, Word, card
from course.graph.collapse import collapse
from course.graph.dot import NoDotError, choose
from course.graph.layout import attributes
from course.graph.model import Graph
from course.graph.paint import BLUE, GREEN, GREY, PURPLE
from course.graph.record import record_from
from course.graph.svg import edge_label, svg

SHRINK = 0.75  # a wide picture is shrunk to its page by no more than this; then it scrolls


def draw(graph: Any) -> "Picture":
    """Draw a Graph, or record an engine Tensor or a torch Tensor and draw that.

    Inputs stand left, the output right. Each card gives the operation, its value and its adjoint, and what
    was saved for backward; each arrow the local derivative. Of more than 300 nodes, those of one module, or
    of blocks that come again and again, are drawn as one. Raises as `record` does, and ValueError for more
    than 2,000 nodes that nothing draws together.
    """
    return Picture(graph if isinstance(graph, Graph) else record_from(sys._getframe(1), graph, None, None))


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
        plain.edge(edge.source, edge.target, edge_label(graph, edge), id=edge.id, style=style)
    return list(plain.body)


def fluid(text: str) -> str:
    """Let SVG shrink to the width of its page, but not by so much that it cannot be read."""
    width = int(text.split('width="', 1)[1].split('"', 1)[0])
    style = f"max-width:max(100%, {SHRINK * width:.0f}px);height:auto"
    return text.replace("<svg ", f'<svg style="{style}" ', 1)


def _line(row: Row) -> str:
    """Write a row of a card as plain text, for formats that dot draws itself."""
    grid = "; ".join(" ".join(cells) for cells in row.grid)
    chips = ", ".join("".join(map(_plain, chip)) for chip in row.chips)
    return "".join(map(_plain, row.words)) + (f"[{grid}]" if grid else "") + chips


def _plain(word: Word) -> str:
    return words.barred(word.text) if word.bar else words.pretty(word.text) if word.name else word.text
