"""Draws the shapes of a gradient and of its input as squares, with one panel per further index."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from vjpcheck.result import Shapes

CELL, GAP, LINE, LETTER = 12.0, 6.0, 16.0, 6.2  # pixels: of a square, between panels, of text, of a letter
APART = 36.0
CELLS_AT_MOST, WIDE_AT_MOST = 400, 640.0
TITLES = ("from backward", "correct")


def as_svg(shapes: Shapes) -> str:
    """Return both shapes as squares in one inline SVG; an empty string where they are too large to draw."""
    # a size of 0 must not hide a huge size beside it
    if (
        max(prod(max(1, size) for size in shape) for shape in shapes) > CELLS_AT_MOST
        or max(map(len, shapes)) > 4
    ):
        return ""
    captions = [f"{title}: {in_words(shape)}" for title, shape in zip(TITLES, shapes, strict=True)]
    widths = [
        max(_extent(shape)[0], LETTER * len(text)) for shape, text in zip(shapes, captions, strict=True)
    ]
    height = LINE + GAP + max(_extent(shape)[1] for shape in shapes) + 2
    drawn, left = [], 1.0
    for shape, text, width in zip(shapes, captions, widths, strict=True):
        squares = "".join(f"M{x:g} {y:g}h{CELL:g}v{CELL:g}h-{CELL:g}z" for x, y in _places(shape))
        drawn.append(
            f'<g transform="translate({left:g} 0)"><text dy=".35em" y="{LINE / 2:g}">{text}</text>'
            f'<path transform="translate(0 {LINE + GAP:g})" fill="#808080" fill-opacity=".25" '
            f'stroke="currentColor" stroke-opacity=".7" d="{squares}"/></g>'
        )
        left += width + APART
    width = left - APART + 1
    if width > WIDE_AT_MOST:
        return ""
    return (
        f'<svg role="img" aria-label="{"; ".join(captions)}" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" xmlns="http://www.w3.org/2000/svg" fill="currentColor" '
        f'font-family="system-ui, sans-serif" font-size="11">{"".join(drawn)}</svg>'
    )


def in_words(shape: tuple[int, ...]) -> str:
    """Return a shape as Python writes it."""
    return str(tuple(shape))


def _panels(shape: tuple[int, ...]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the rows and columns of panels, and the rows and columns in each."""
    down, across, rows, columns = (1, 1, 1, 1, *shape)[-4:]
    return (down, across), (rows, columns)


def _extent(shape: tuple[int, ...]) -> tuple[float, float]:
    (down, across), (rows, columns) = _panels(shape)
    return across * (columns * CELL + GAP) - GAP, down * (rows * CELL + GAP) - GAP


def _places(shape: tuple[int, ...]) -> Iterator[tuple[float, float]]:
    (down, across), (rows, columns) = _panels(shape)
    for i, j, row, column in product(range(down), range(across), range(rows), range(columns)):
        yield j * (columns * CELL + GAP) + column * CELL, i * (rows * CELL + GAP) + row * CELL
