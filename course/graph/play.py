"""`play`: a picture that is stepped through; all it needs travels with the page, and nothing is fetched."""

import base64
import json
import math
import re
import sys
import zlib
from collections.abc import Iterator, Mapping
from html import escape
from importlib import resources
from typing import Any
from urllib.parse import urlencode

from course.graph import words
from course.graph.collapse import collapse
from course.graph.constants import SHARED
from course.graph.draw import SHRINK, plan_of, shapes, svg
from course.graph.layout import NoDotError
from course.graph.model import Graph
from course.graph.overwriting import overwritten
from course.graph.player_picture import marked, player_picture
from course.graph.record import record_from
from course.graph.script_data import (
    Quantity,
    abridged,
    forward_sweeps,
    live_data,
    quantity,
    script_data,
    why_still,
)

UNKNOWN = "·"  # for a value that nothing kept
NOT_KEPT = f"{UNKNOWN} not kept: no variable holds this result, so PyTorch has freed it"
NEXT_ROW: str = SHARED["NEXT_ROW"]
SIZE = re.compile(r'width="(\d+)" height="(\d+)"')
COMMENT = re.compile(r"(^|\s)// [^\n]*|/\*.*?\*/ *", re.DOTALL | re.MULTILINE)  # of a script or a style sheet
# They become one function. quantities.js begins it; play.js ends it, and starts the player.
SCRIPTS = (
    "quantities.js",
    "steps.js",
    "describe.js",
    "compute.js",
    "retell.js",
    "elements.js",
    "controls.js",
    "picture.js",
    "table.js",
    "texts.js",
    "token.js",
    "squeeze.js",
    "turn.js",
    "handles.js",
    "code.js",
    "link.js",
    "minimap.js",
    "arrange.js",
    "zoom.js",
    "folds.js",
    "timer.js",
    "keyboard.js",
    "play.js",
)
# JupyterLab takes styles, scripts and SVG out of an output that is not trusted, and leaves images in: so the
# picture comes as an image, which the script takes apart. An image does not know the colours of its page.
PAPER = "color:#1b1b1b;background:#fff"
# Attributes of the shapes in a page's picture, and a style that says them once and yields to any other.
REPEATED = {
    r'(class="pill"[^>]*?) fill="#D55E00" fill-opacity="0.2"': ".pill){fill:#D55E00;fill-opacity:.2}",
    r'(class="chip"[^>]*?) fill-opacity="0.12"': ".chip){fill-opacity:.12}",
    r'(class="chip"[^>]*?) stroke-width="1"': ".chip){stroke-width:1px}",
    r'(<path d="[^"]*") fill="none" stroke="#888"': ".edge>path){fill:none;stroke:#888}",
    r'(<polygon [^>]*?) fill="#888"': ".edge>polygon){fill:#888}",
}
OVERWRITING = "overwriting"
WIDEST = 880  # pixels of a still picture: pages that notebooks are converted to cut off what is wider
DISTRUST = "To step through it, run the cell or trust the notebook (command palette: Trust Notebook)."


def play(graph: Any, mode: str = "reverse", step: int = 0) -> "Player":
    """Show a Graph's sweeps step by step, or record an engine Tensor or a torch Tensor and show that.

    Values run forward, then adjoints backward; where every local derivative is a number, a sweep of tangents
    for each input can be chosen in their place. Large graphs are drawn together, and refused, as `draw` does.

    The player starts in the `mode` "reverse", in "forward" with the tangents for the first leaf, or in
    "forward:w2" with those for w2, and at the `step` given; a step beyond the last one is the last one. In
    "overwriting" it shows the adjoints of an engine that writes = for +=, and the right ones by choice.
    Raises ValueError for any other mode, and for forward mode where it cannot be shown.

    The leaves of a graph of numbers and small arrays can be changed, and the page computes the graph again,
    without a kernel. Constants and branches of the code stay as they were recorded. Where the page cannot
    compute a node, as a Function of one's own, there are no handles, and a sentence says why. A link to a
    state of the player is `#w1=1.57&step=8`; with `&mode=forward` it is one of forward mode, and with
    `&mode=forward:w2` of the tangents for w2; `&unfolded=g3,g3/g0` has the groups that are unfolded. In a
    page with several players a key begins with the player's name, as in `#w5.step=8`; the second player of
    that name is w5-2.

    The picture is zoomed by buttons, by the keys + and -, and by the wheel with Ctrl. It is panned by a drag,
    and by Shift with an arrow. 0 shows the whole picture, then its text in full size; f fills the screen. A
    click on nodes that are drawn as one, or Enter, unfolds them: of equal blocks the first is shown.
    """
    recorded = graph if isinstance(graph, Graph) else record_from(sys._getframe(1), graph)
    return Player(recorded, mode=mode, step=step)


class Player:
    """A Graph with the buttons to step through it; a notebook shows it.

    `ranges` are those of the leaves' sliders, by the names of the leaves; `mode` and `step` are those of
    `play`. `description` is one sentence for a text alternative.
    """

    def __init__(
        self,
        graph: Graph,
        ranges: Mapping[str, tuple[float, float]] | None = None,
        mode: str = "reverse",
        step: int = 0,
    ) -> None:
        graph = collapse(graph)
        self.ranges = ranges
        self.start = _start(graph, mode, step)
        self.overwriting = mode == OVERWRITING
        self.graph = graph = overwritten(graph) if self.overwriting else graph
        self.description = words.describe(graph)

    def html(self) -> str:
        """Return the player as HTML for a page to hold: picture, table, data, style and script.

        Raises NoDotError where there is no program to lay out the picture.
        """
        drawn = player_picture(self.graph)
        more = {"folds": folds(self.graph), "tall": drawn.tall, "start": self.start}
        data = script_data(self.graph, self.ranges) | more
        if self.overwriting:
            data["overwriting"] = True
        title = escape(self.graph.node(self.graph.output).name or self.graph.output)
        parts = [
            f'<div class="backward-player" role="group" aria-label="Player of the graph of {title}" '
            f'data-title="{title}" '
            'aria-keyshortcuts="ArrowLeft ArrowRight Space Home End + - 0 f" tabindex="0">',
            f"<style>{_file('play.css')}</style>",
            f'<p class="distrust">{DISTRUST}</p>',
            f'<div class="views"><div class="picture" style="overflow:auto">{_image(drawn.svg, title)}',
            f"</div>{_table(self.graph, data)}</div>",
            *([f'<p class="still">{escape(still)}</p>'] if (still := why_still(self.graph)) else []),
            '<div class="texts">',
            '<div class="equations roomy" aria-hidden="true"><p class="equation"></p></div>',
            '<div class="captions roomy">',
            f'<p class="caption" aria-live="polite">{escape(self.description)}</p></div></div>',
            f'<script type="application/json">{_json(data)}</script>',
            f"<script>(() => {{\n'use strict';\n{script(bool(data['folds']))}\n}})();</script>",
            "</div>",
        ]
        return "\n".join(parts)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """Show the player, or its still picture where no HTML is shown.

        Where nothing can lay out the picture, it is one sentence with the cure.
        """
        try:
            return {
                "text/plain": self.description,
                "text/html": self.html(),
                "image/svg+xml": _still(self.graph),
            }
        except NoDotError as error:
            return {"text/plain": str(error), "text/html": f"<p>{escape(str(error))}</p>"}


def _start(graph: Graph, mode: str, step: int) -> str:
    """Write the state in which a player starts, as a link writes it."""
    sweeps = forward_sweeps(graph)
    leaves = [node.name for node in graph.nodes if node.id in sweeps]
    modes = ["reverse", *(["forward"] if leaves else []), *(f"forward:{leaf}" for leaf in leaves)]
    modes += [OVERWRITING] if leaves and live_data(graph) is not None else []
    if mode not in modes:
        raise ValueError(f"mode {mode!r}: this player has {', '.join(map(repr, modes))}")
    if step < 0:
        raise ValueError(f"step {step}: the first step is 0")
    said = {"step": str(step)} | ({"mode": mode} if mode != "reverse" else {})
    return urlencode(said)


def phrase(said: Quantity) -> str:
    """Write a quantity of the script's data in one phrase, as `phrase` of the script does."""
    if said is None:
        return "None"
    if isinstance(said, dict):
        return said["shape"]
    return said if isinstance(said, str) else f"[{'; '.join(' '.join(row) for row in said)}]"


def _table(graph: Graph, data: Mapping[str, Any]) -> str:
    """Write the table with the last numbers, which is what a page without scripts shows."""
    head = (
        '<tr><th scope="col">node</th><th scope="col">value</th><th scope="col" class="sum">adjoint</th></tr>'
    )
    rows = []
    for place, (node, entry) in enumerate(zip(graph.nodes, data["nodes"], strict=True)):
        if node.name is None:
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
    table = f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
    note = f'<p class="unkept">{NOT_KEPT}</p>' if any(f"<td>{UNKNOWN}</td>" in row for row in rows) else ""
    return f'<div class="numbers">{table}{note}</div>'


def _image(picture: str, title: str) -> str:
    """Write the picture as an image."""
    width = int(picture.split('width="', 1)[1].split('"', 1)[0])
    for attributes in REPEATED:
        picture = re.sub(attributes, r"\1", picture)
    said = "".join(f":where(.course-graph {rule}" for rule in REPEATED.values())
    picture = _styled(picture, PAPER).replace("<style>", f"<style>{said}", 1)
    for sign, code in (("%", "%25"), ("#", "%23"), ("&", "&amp;"), ("'", "&#39;")):
        picture = picture.replace(sign, code)
    return (
        f"<img alt='Graph of {title}' "
        f"style='max-width:100%;min-width:{math.ceil(SHRINK * width)}px;height:auto' "
        f"src='data:image/svg+xml;charset=utf-8,{picture}'>"
    )


def _still(graph: Graph) -> str:
    """Draw the end of the sweep where nothing moves: without room for other numbers, and not too wide."""

    def shrunk(size: re.Match[str]) -> str:
        width, height = map(int, size.groups())
        scale = min(1, WIDEST / width)
        return f'width="{round(scale * width)}" height="{round(scale * height)}"'

    return _styled(SIZE.sub(shrunk, svg(graph), count=1), f"{PAPER};max-width:100%;height:auto")


def _json(data: Any) -> str:
    """Write data as JSON for a script, which "</" or "<!--" would end early."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def script(folds: bool) -> str:
    """Write the player's scripts as one; `folds` tells whether there are groups to unfold."""
    scripts = [_file(name) for name in SCRIPTS if folds or name != "folds.js"]
    return "\n".join([f"const SHARED = {_json(SHARED)};", *scripts])


def _styled(picture: str, style: str) -> str:
    return picture.replace("<svg ", f'<svg style="{style}" ', 1)


def _file(name: str) -> str:
    """Read a file of the package without indentation and comments: pages must stay small."""
    text = resources.files("course.graph").joinpath(name).read_text(encoding="utf-8")
    lines = (line.strip() for line in COMMENT.sub("", text).splitlines())
    return "\n".join(filter(None, lines))


def folds(graph: Graph) -> str:
    """Write a picture of what each group holds, and in it of what its groups hold; empty without groups.

    The text is base64 of deflated JSON: many such pictures are alike. They go by the ids of the groups on the
    way, as in g3/g0. Each has its `shapes`, `width` and `height`, the `title` of its frame, what it `shows`
    in words, and how much each of its groups `holds`.
    """
    found = dict(_pictures(graph, ""))
    if not found:
        return ""
    return base64.b64encode(zlib.compress(json.dumps(found, ensure_ascii=False).encode(), 9)).decode()


def _pictures(graph: Graph, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for node in graph.nodes:
        inside = node.group.inside if node.group else None
        if node.group is None or inside is None:
            continue
        plan = plan_of(inside)
        times = f": the first of {node.group.times:,}" if node.group.times > 1 else ""
        yield (
            f"{path}{node.id}",
            {
                "shapes": marked(shapes(inside, plan), "data-inner"),
                "width": math.ceil(plan.layout.width),
                "height": math.ceil(plan.layout.height),
                "title": f"{words.symbol(node)}{times}",
                "shows": words.describe(inside),
                "holds": {each.id: words.held(each.group) for each in inside.nodes if each.group},
            },
        )
        yield from _pictures(inside, f"{path}{node.id}/")
