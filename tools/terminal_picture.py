"""Draws text as a terminal shows it, colours and all, as an SVG."""

from __future__ import annotations

import re
from html import escape

ADVANCE, LINE, MARGIN, SIZE = 7.8, 18, 14, 13  # of a monospaced font, in pixels
BACKGROUND, INK = "#1e1e1e", "#e8e6e3"
# ANSI's green, red and dim, as far as they stand out from the background
COLOURS = {"32": "#3fbf8f", "31": "#ff8a5c", "2": "#a8a59e"}
ESCAPE = re.compile(r"\033\[(\d+)m(.*?)\033\[0m")


def as_svg(text: str, alt: str) -> str:
    """Return the picture of a text of several lines; `alt` says in words what it shows."""
    lines = text.splitlines()
    width = round(max(len(ESCAPE.sub(r"\2", line)) for line in lines) * ADVANCE + 2 * MARGIN)
    height = len(lines) * LINE + 2 * MARGIN
    heights = (MARGIN + SIZE + LINE * number for number in range(len(lines)))
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{y}" xml:space="preserve">{_coloured(line)}</text>'
        for y, line in zip(heights, lines, strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{escape(alt)}" fill="{INK}" font-size="{SIZE}" '
        f'font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace">\n'
        f'<rect width="100%" height="100%" rx="6" fill="{BACKGROUND}"/>\n{rows}\n</svg>\n'
    )


def _coloured(line: str) -> str:
    parts, end = [], 0
    for match in ESCAPE.finditer(line):
        parts.append(escape(line[end : match.start()]))
        parts.append(f'<tspan fill="{COLOURS[match[1]]}">{escape(match[2])}</tspan>')
        end = match.end()
    return "".join([*parts, escape(line[end:])])
