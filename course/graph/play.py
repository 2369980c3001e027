"""`play`: a picture that is stepped through; all it needs travels with the page, and nothing is fetched."""

import json
import sys
from collections.abc import Mapping
from html import escape
from importlib import resources
from typing import Any

from course.graph import words
from course.graph.collapse import collapse
from course.graph.dot import NoDotError
from course.graph.draw import SHRINK
from course.graph.model import Graph
from course.graph.record import record_from
from course.graph.stage import stage
from course.graph.story import Quantity, quantity, shown, story

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
    return Player(graph if isinstance(graph, Graph) else record_from(sys._getframe(1), graph, None, None))


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
        told = story(self.graph)
        # In a script "</" and "<!--" would end it early.
        data = json.dumps(told, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        title = escape(self.graph.node(self.graph.output).name or self.graph.output)
        parts = [
            f'<div class="backward-player" role="group" aria-label="Player of the graph of {title}" '
            'aria-keyshortcuts="ArrowLeft ArrowRight Space Home End" tabindex="0">',
            f"<style>{_file('play.css')}</style>",
            f'<p class="distrust">{DISTRUST}</p>',
            f'<div class="scene"><div class="picture" style="overflow:auto">{_image(self.graph, title)}',
            f"</div>{_table(self.graph, told)}</div>",
            '<div class="telling"><p class="equation" aria-hidden="true"></p>',
            f'<p class="caption" aria-live="polite">{escape(self.description)}</p></div>',
            f'<script type="application/json">{data}</script>',
            f"<script>{_file('play.js')}</script>",
            "</div>",
        ]
        return "\n".join(parts)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """Show the player, or one sentence with the cure where nothing can lay out the picture."""
        try:
            return {"text/plain": self.description, "text/html": self.html()}
        except NoDotError as error:
            return {"text/plain": str(error), "text/html": f"<p>{escape(str(error))}</p>"}


def spoken(said: Quantity) -> str:
    """Write a quantity of the story in one phrase; play.js has the same."""
    if said is None:
        return "None"
    if isinstance(said, dict):
        return f"({said['shape']})"
    return said if isinstance(said, str) else f"[{'; '.join(' '.join(row) for row in said)}]"


def _table(graph: Graph, told: Mapping[str, Any]) -> str:
    """Write the table with the last numbers, which is what a page without scripts shows."""
    head = (
        '<tr><th scope="col">node</th><th scope="col">value</th><th scope="col" class="sum">adjoint</th></tr>'
    )
    rows = []
    for place, (node, entry) in enumerate(zip(graph.nodes, told["nodes"], strict=True)):
        if not entry["named"]:
            continue
        value = quantity(shown(graph, node.value)) or entry["value"]
        cells = [
            spoken(value) if value else UNKNOWN,
            spoken(quantity(shown(graph, node.adjoint))) if graph.swept else "",
        ]
        rows.append(
            f'<tr data-node="{place}"><th scope="row">{escape(entry["name"])}</th>'
            + "".join(f"<td>{escape(cell.replace('; ', NEXT_ROW))}</td>" for cell in cells)
            + "</tr>"
        )
    return f'<div class="ledger"><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>'


def _image(graph: Graph, title: str) -> str:
    """Write the picture as an image."""
    picture = stage(graph)
    width = int(picture.split('width="', 1)[1].split('"', 1)[0])
    picture = picture.replace("<svg ", f'<svg style="{PAPER}" ', 1)
    for sign, code in (("%", "%25"), ("#", "%23"), ("&", "&amp;"), ("'", "&#39;")):
        picture = picture.replace(sign, code)
    return (
        f"<img alt='Graph of {title}' style='max-width:100%;min-width:{SHRINK * width:.0f}px;height:auto' "
        f"src='data:image/svg+xml;charset=utf-8,{picture}'>"
    )


def _file(name: str) -> str:
    """Read a file of the package; indentation and comments stay there, for the page to be small."""
    text = resources.files("course.graph").joinpath(name).read_text(encoding="utf-8")
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))
