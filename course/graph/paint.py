"""Ink: colours, lines of text, and a card's rows as SVG.

Text takes the page's colour, outlines a mid-tone of Okabe and Ito's palette: both are legible on light and on
dark. What a colour says, a shape says too. Colours are attributes, which any style sheet overrides.
"""

from collections.abc import Sequence
from html import escape

from course.graph import words
from course.graph.cards import CHIP, FACT, TITLE, Row, Word, chip_width

GREEN, BLUE, PURPLE, VERMILION, ORANGE = "#009E73", "#0072B2", "#CC79A7", "#D55E00", "#E69F00"
GREY = "#8A8A8A"
# of texts and edges, said once: pages of a hundred nodes must stay small
DEFAULTS = f'font-size="{FACT:g}" text-anchor="middle" xml:space="preserve" stroke-width="1.4"'
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
    return f'fill="{colour}" fill-opacity="{fill:g}" stroke="{colour}" stroke-width="{line:g}"'


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
    size = {"title": TITLE, "value": FACT, "adjoint": FACT}.get(what.role, CHIP)
    left = x - what.width / 2
    parts = []
    if what.role == "adjoint":
        pill = f'fill="{VERMILION}" fill-opacity="0.2"'
        parts.append(box("pill", left - 6, top + 1.5, what.width + 12, what.height - 3, 6, pill))
    if what.later and not what.grid:  # its name stands still while the number changes
        return "".join(parts) + text(what.words, left, middle, size, what.role, "start")
    if not what.grid and not what.chips:
        return "".join(parts) + text(what.words, x, middle, size, what.role)
    if what.words:
        parts.append(text(what.words, left + what.lead, middle, size, what.role, "end"))
    left += what.lead
    if what.grid:
        parts.append(_grid(what, left, top))
    colour = {"saved": ORANGE, "returns": VERMILION}.get(what.role, GREY)
    for chip in what.chips:
        width = chip_width(chip)
        parts.append(box("chip", left + 2, top + 2.5, width, what.height - 5, 2, tint(colour, 0.12, 1)))
        parts.append(text(chip, left + 2 + width / 2, middle, CHIP, what.role))
        left += width + 4
    return "".join(parts)


def _grid(what: Row, left: float, top: float) -> str:
    upper, lower = top + 3, top + what.height - 3
    right = left + sum(what.columns) + 9 * len(what.columns) + 5
    brackets = f"M{px(left + 4)},{px(upper)}h-3V{px(lower)}h3M{px(right - 4)},{px(upper)}h3V{px(lower)}h-3"
    paint = 'fill="none" stroke="currentColor" stroke-width="1"'
    parts = [f'<g class="{what.role} grid" font-size="12" text-anchor="end"><path d="{brackets}" {paint}/>']
    x = left - 2
    for at, column in enumerate(what.columns):
        x += column + 9
        for line, cells in enumerate(what.grid):
            y = top + 11 + 15 * line + MIDDLE * 12
            parts.append(f'<text x="{px(x)}" y="{px(y)}">{escape(cells[at])}</text>')
    return "".join(parts) + "</g>"
