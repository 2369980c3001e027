"""Colours, texts, a card's rows and its outline, and the legend, as SVG.

Text takes the page's colour, outlines a mid-tone of Okabe and Ito's palette: both are legible on light and on
dark. What a colour says, a shape says too. Colours are attributes, which any style sheet overrides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from course.graph import words
from course.graph.cards import CELL_GAP, FACT, SMALL, TITLE, Row, Word, chip_width
from course.graph.constants import SHARED
from course.graph.layout import drawn_as
from course.graph.model import Graph, Group, Node
from course.graph.words import width

GREEN, BLUE, PURPLE, VERMILION, ORANGE = "#009E73", "#0072B2", "#CC79A7", "#D55E00", "#E69F00"
GREY = "#888"
STROKE = 1.4  # the width of most lines
# of texts and edges, said once: pages of a hundred nodes must stay small
DEFAULTS = f'font-size="{FACT:g}" text-anchor="middle" xml:space="preserve" stroke-width="{STROKE:g}"'
DASHES = ' stroke-dasharray="5 3"'
BAR = 4.0  # between the bars of an operation of second order
CUT = 8.0  # of a custom Function's corners
STACK = 4.0  # by how much the cards of a stack stand apart
LINE = 18.0  # height of a line
PILL_MARGIN: float = SHARED["PILL_MARGIN"]  # of an adjoint, left and right of its row
SAMPLE = 34.0  # room for a shape before its meaning

COPY = "a leaf with many uses, drawn beside each use; its adjoint is the sum over all uses"
SECOND = "second order: created by the backward pass, or computed from its results"
HIGHER = "third order or higher: one more bar per order"
GROUP = "several nodes drawn as one"
MIDDLE = 0.35  # how far below the middle a line of text has its base, in font sizes


def px(length: float) -> str:
    """Write a length in pixels, with at most one decimal."""
    return f"{length:.1f}".removesuffix(".0")


def box(name: str, left: float, top: float, width: float, height: float, radius: float, paint: str) -> str:
    """Draw a rectangle with round corners."""
    place = f'x="{px(left)}" y="{px(top)}" width="{px(width)}" height="{px(height)}" rx="{radius:g}"'
    return f'<rect class="{name}" {place} {paint}/>'


def tint(colour: str, fill: float, line: float) -> str:
    """Give a shape a thin fill, which both themes shine through, and an outline."""
    wide = f' stroke-width="{line:g}"' if line != STROKE else ""
    return f'fill="{colour}" fill-opacity="{fill:g}" stroke="{colour}"{wide}'


def text(
    pieces: Sequence[Word], x: float, middle: float, size: float, role: str, anchor: str = "middle"
) -> str:
    """Write words in one line whose middle has the given height; what `DEFAULTS` say is not said again."""
    marks = "".join(
        mark
        for mark, needed in (
            (f' font-size="{size:g}"', size != FACT),
            (f' text-anchor="{anchor}"', anchor != "middle"),
            (' font-weight="bold"', role == "title"),
        )
        if needed
    )
    spans = "".join(map(_span, pieces))
    return f'<text class="{role}" x="{px(x)}" y="{px(middle + MIDDLE * size)}"{marks}>{spans}</text>'


def _span(word: Word) -> str:
    if not word.name:
        return f'<tspan class="fact">{escape(word.text)}</tspan>' if word.fact else escape(word.text)
    if not words.mathematical(word.text):
        line = ' class="bar" text-decoration="overline"' if word.bar else ""
        return f"<tspan{line}>{escape(words.short(word.text))}</tspan>"
    letter, rest = word.text[0], word.text[1:].translate(words.SUBSCRIPTS)
    mark = ' class="bar"' if word.bar else ""
    return f'<tspan{mark} font-style="italic">{letter}{words.MACRON if word.bar else ""}</tspan>{rest}'


def row(what: Row, x: float, top: float) -> str:
    """Draw a row of a card around the middle `x`."""
    middle = top + what.height / 2
    size = {"title": TITLE, "value": FACT, "adjoint": FACT}.get(what.role, SMALL)
    left = x - what.width / 2
    parts = []
    if what.role == "adjoint":
        pill = f'fill="{VERMILION}" fill-opacity="0.2"'
        wide = what.width + 2 * PILL_MARGIN
        parts.append(box("pill", left - PILL_MARGIN, top + 1.5, wide, what.height - 3, 6, pill))
    if what.later and not what.grid:  # its name stands still while the number changes
        return "".join(parts) + text(what.words, left, middle, size, what.role, "start")
    if not what.grid and not what.chips:
        return "".join(parts) + text(what.words, x, middle, size, what.role)
    if what.words:
        parts.append(text(what.words, left + what.lead, middle, size, what.role, "end"))
    left += what.lead
    if what.grid:
        parts.append(_grid(what, left, top))
    colour = {"saved": ORANGE, "passes": VERMILION}.get(what.role, GREY)
    for chip in what.chips:
        wide = chip_width(chip)
        parts.append(box("chip", left + 2, top + 2.5, wide, what.height - 5, 2, tint(colour, 0.12, 1)))
        parts.append(text(chip, left + 2 + wide / 2, middle, SMALL, what.role))
        left += wide + 4
    return "".join(parts)


def _grid(what: Row, left: float, top: float) -> str:
    upper, lower = top + 3, top + what.height - 3
    right = left + sum(what.columns) + CELL_GAP * len(what.columns) + 5
    brackets = f"M{px(left + 4)},{px(upper)}h-3V{px(lower)}h3M{px(right - 4)},{px(upper)}h3V{px(lower)}h-3"
    paint = 'fill="none" stroke="currentColor" stroke-width="1"'
    kind = f'class="{what.role} grid" font-size="{SMALL:g}" text-anchor="end"'
    parts = [f'<g {kind}><path d="{brackets}" {paint}/>']
    x = left - 2
    for at, column in enumerate(what.columns):
        x += column + CELL_GAP
        for line, cells in enumerate(what.grid):
            y = top + 11 + 15 * line + MIDDLE * SMALL
            parts.append(f'<text x="{px(x)}" y="{px(y)}">{escape(cells[at])}</text>')
    return "".join(parts) + "</g>"


def outline(
    node: Node, x: float, y: float, w: float, h: float, output: bool = False, copy: bool = False
) -> str:
    """Draw a card's outline.

    Leaves are round; copies of them are dashed, and so are inputs; operations are square, with a bar at
    either side for each order above the first; custom Functions have cut corners; what stands for several
    nodes is a stack of cards; the output has a second line.
    """
    colour = (
        PURPLE if node.custom else VERMILION if node.order > 1 else GREEN if node.kind == "leaf" else BLUE
    )
    line, radius = {"leaf": (1.6, 17.0), "result": (1.0, 12.0), "input": (1.0, 12.0)}.get(
        node.kind, (1.4, 5.0)
    )
    dashes = DASHES if copy or node.kind == "input" else ""
    parts = []
    if output:
        thin = f'fill="none" stroke="{colour}" stroke-width="1"'
        parts.append(box("frame", x - 3.5, y - 3.5, w + 7, h + 7, radius + 3, thin))
    if node.group:
        edge = f"M{px(x + w)},{px(y + STACK)}h{STACK:g}v{px(h)}h-{px(w)}v-{STACK:g}"
        parts.append(f'<path class="stack" d="{edge}" fill="none" stroke="{colour}" stroke-width="1.4"/>')
    if node.custom:
        parts.append(f'<path class="body" d="{_cut(x, y, w, h)}" {tint(colour, 0.12, 2.4)}/>')
    else:
        parts.append(box("body", x, y, w, h, radius, tint(colour, 0.09, line) + dashes))
    for bar in range(1, node.order):
        left, right = x + BAR * bar, x + w - BAR * bar
        path = f"M{px(left)},{px(y)}v{px(h)}M{px(right)},{px(y)}v{px(h)}"
        parts.append(f'<path class="order" d="{path}" stroke="{VERMILION}" stroke-width="1.4"/>')
    return "".join(parts)


def _cut(x: float, y: float, w: float, h: float) -> str:
    across, down = w - 2 * CUT, h - 2 * CUT
    start = f"M{px(x + CUT)},{px(y)}h{px(across)}l{CUT:g},{CUT:g}v{px(down)}l-{CUT:g},{CUT:g}h-{px(across)}"
    return f"{start}l-{CUT:g},-{CUT:g}v-{px(down)}z"


@dataclass(frozen=True)
class Line:
    """A line of a legend: its words, and perhaps a shape that they explain."""

    words: str
    sample: Node | None = None
    copy: bool = False

    @property
    def width(self) -> float:
        """How wide the line is."""
        return width(self.words, SMALL) + (SAMPLE if self.sample else 0)

    def draw(self, top: float) -> str:
        """Draw the line at a height."""
        middle = top + LINE / 2
        if self.sample is None:
            return text([Word(self.words)], 0, middle, SMALL, "note", "start")
        shape = outline(self.sample, 1, middle - 6, SAMPLE - 10, 12, copy=self.copy)
        return (
            f'<g class="legend">{shape}{text([Word(self.words)], SAMPLE, middle, SMALL, "note", "start")}</g>'
        )


def legend(graph: Graph) -> list[Line]:
    """List the lines that a picture needs; most pictures need none."""
    highest = max((node.order for node in graph.nodes), default=1)
    lines = []
    if drawn_as(graph):
        lines.append(Line(COPY, Node("", "leaf", None), copy=True))
    if any(node.group for node in graph.nodes):
        lines.append(Line(GROUP, Node("", "group", None, group=Group())))
    if any(node.order == 2 for node in graph.nodes):
        lines.append(Line(SECOND, Node("", "operation", None, order=2)))
    if highest > 2:
        lines.append(Line(HIGHER, Node("", "operation", None, order=3)))
    if graph.note:
        lines.append(Line(f"Adjoints are missing: {graph.note}."))
    return lines
