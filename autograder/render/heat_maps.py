"""The Jacobian that backward gives beside the true one, drawn: one inline SVG in the page's own colours.

Written without matplotlib, whose figures take some 40 ms each: a class has hundreds of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import numpy as np

from autograder.render.jacobians import in_words
from autograder.result import Jacobians

CELLS_AT_MOST = 4000
ROWS_WITH_NUMBERS, COLUMNS_WITH_NUMBERS = 16, 9
CELL_WITH_NUMBER, CELL_WITHOUT, SIDE_AT_MOST = 28.0, 20.0, 216.0  # pixels
GAP, LINE, LETTER = (
    30.0,
    16.0,
    5.6,
)  # between the two, of a line of text, and of a letter of 10 pixels at most
LINES = '<path fill="none" vector-effect="non-scaling-stroke" '
FRAME = f'{LINES}stroke="#808080"'
OUTLINE = f'{LINES}stroke="currentColor" stroke-width="2" stroke-linecap="square"'
TITLES = ("what backward gives", "what it should give")

# ColorBrewer's 11-class PuOr, from violet to brown: told apart by the colour-blind, 0 in the middle
SCALE = np.array(
    [
        (0x2D, 0x00, 0x4B),
        (0x54, 0x27, 0x88),
        (0x80, 0x73, 0xAC),
        (0xB2, 0xAB, 0xD2),
        (0xD8, 0xDA, 0xEB),
        (0xF7, 0xF7, 0xF7),
        (0xFE, 0xE0, 0xB6),
        (0xFD, 0xB8, 0x63),
        (0xE0, 0x82, 0x14),
        (0xB3, 0x58, 0x06),
        (0x7F, 0x3B, 0x08),
    ],
    dtype=float,
)
TOLD_AT_MOST = 400  # cells that tell their value where the pointer rests on them
LEVELS = 20  # of colour on either side of 0: cells of one colour are one path


def as_svg(jacobians: Jacobians) -> str:
    """Return both Jacobians as heat maps in one inline SVG, the differing cells outlined.

    Zeros and what is not finite stay blank. Returns an empty string for Jacobians too large to be drawn.
    """
    rows, columns = jacobians.true.shape
    if not 0 < rows * columns <= CELLS_AT_MOST:
        return ""
    page = _Page.of(jacobians)
    both = np.stack([jacobians.observed, jacobians.true])
    limit = float(np.abs(both[np.isfinite(both)]).max(initial=0.0)) or 1.0
    outline = _outline(jacobians.differing())
    maps = "".join(
        f'<g transform="translate({page.left(number):g} {page.top:g})">{page.words(title)}'
        f'<g transform="scale({page.cell:g})">{"".join(_cells(values, limit))}'
        f'{FRAME} d="M0 0H{columns}V{rows}H0Z"/>{OUTLINE} d="{outline}"/></g>'
        f"{''.join(_numbers(values, limit)) if page.numbers else ''}"
        f"{_told(jacobians, values, page.cell)}</g>"
        for number, (title, values) in enumerate(zip(TITLES, both, strict=True))
    )
    return (
        f'<svg role="img" aria-label="{escape(in_words(jacobians))}" width="{page.width:g}" '
        f'height="{page.height:g}" viewBox="0 0 {page.width:g} {page.height:g}" '
        f'xmlns="http://www.w3.org/2000/svg" fill="currentColor" font-family="system-ui, sans-serif" '
        f'font-size="10" text-anchor="middle">{maps}</svg>'
    )


@dataclass(frozen=True)
class _Page:
    """Where the two maps and their words stand, in pixels."""

    cell: float
    rows: int
    columns: int
    numbers: bool
    output: str
    input: str

    @staticmethod
    def of(jacobians: Jacobians) -> _Page:
        rows, columns = jacobians.true.shape
        numbers = rows <= ROWS_WITH_NUMBERS and columns <= COLUMNS_WITH_NUMBERS
        cell = CELL_WITH_NUMBER if numbers else min(CELL_WITHOUT, SIDE_AT_MOST / max(rows, columns))
        output, given = (_shape(shape) for shape in (jacobians.output_shape, jacobians.input_shape))
        return _Page(cell, rows, columns, numbers, f"output, {output}", f"input, {given}")

    @property
    def place(self) -> float:
        """Return the width that one map takes: its own, or that of its words."""
        return max(self.columns * self.cell, LETTER * max(map(len, (*TITLES, self.input))))

    @property
    def top(self) -> float:
        # the words beside a low map stand out above and below it
        return LINE + max(0.0, (LETTER * len(self.output) - self.rows * self.cell) / 2)

    @property
    def width(self) -> float:
        return 2 * self.place + GAP + 2 * LINE

    @property
    def height(self) -> float:
        return 2 * self.top + self.rows * self.cell

    def left(self, number: int) -> float:
        """Return where the cells of the first or the second map begin."""
        return LINE + number * (self.place + GAP + LINE) + (self.place - self.columns * self.cell) / 2

    def words(self, title: str) -> str:
        """Return the title above a map, and what its rows and columns are beside it."""
        x, down, half = self.columns * self.cell / 2, self.rows * self.cell, LINE / 2
        turned = f"translate({-half:g} {down / 2:g}) rotate(-90)"
        return (
            f'<text dy=".35em" x="{x:g}" y="{half - self.top:g}">{title}</text>'
            f'<text dy=".35em" x="{x:g}" y="{down + self.top - half:g}">{self.input}</text>'
            f'<text dy=".35em" transform="{turned}">{self.output}</text>'
        )


def _shape(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape)) if shape else "a number"


def _blank(values: np.ndarray) -> np.ndarray:
    """Return which cells have no colour: without them the pattern is seen at a glance."""
    blank: np.ndarray = ~np.isfinite(values) | (values == 0)
    return blank


def _colour(level: int) -> np.ndarray:
    place = (level + LEVELS) / (2 * LEVELS) * (len(SCALE) - 1)
    return np.array([np.interp(place, range(len(SCALE)), channel) for channel in SCALE.T]).round()


def _levels(values: np.ndarray, limit: float) -> np.ndarray:
    levels: np.ndarray = np.rint(np.where(_blank(values), 0.0, values) / limit * LEVELS).astype(int)
    return levels


def _cells(values: np.ndarray, limit: float) -> Iterator[str]:
    """Yield a path for each colour, of all cells that have it."""
    places: dict[int, list[str]] = defaultdict(list)
    levels = _levels(values, limit)
    for row, column in np.argwhere(~_blank(values)).tolist():
        places[int(levels[row, column])].append(f"M{column} {row}h1v1h-1z")
    for level, squares in sorted(places.items()):
        red, green, blue = (int(part) for part in _colour(level))
        yield f'<path fill="#{red:02x}{green:02x}{blue:02x}" d="{"".join(squares)}"/>'


def _numbers(values: np.ndarray, limit: float) -> Iterator[str]:
    """Yield the number in each cell: black or white on a colour, in the page's own elsewhere."""
    levels, blank = _levels(values, limit), _blank(values)
    for (row, column), value in np.ndenumerate(values):
        x, y = ((n + 0.5) * CELL_WITH_NUMBER for n in (column, row))
        colour = ""
        if not blank[row, column]:
            light = _colour(int(levels[row, column])) @ (0.299, 0.587, 0.114) > 140
            colour = ' fill="black"' if light else ' fill="white"'
        number = "0" if value == 0 else f"{value:.2g}"
        yield f'<text font-size="8" dy=".35em" x="{x:g}" y="{y:g}"{colour}>{number}</text>'


def _told(jacobians: Jacobians, values: np.ndarray, cell: float) -> str:
    """Return a square without colour over each cell that is not 0 in both, with its value in words.

    Of many cells only those that differ, and of these the first.
    """
    differing = jacobians.differing()
    places = np.argwhere(differing | (jacobians.true != 0)).tolist()
    if len(places) > TOLD_AT_MOST:
        places = np.argwhere(differing).tolist()[:TOLD_AT_MOST]
    squares = []
    for row, column in places:
        output, given = jacobians.entry(row, column)
        told = f"output{output} by input{given}: {values[row, column]:.6g}"
        squares.append(f'<rect x="{column}" y="{row}" width="1" height="1"><title>{told}</title></rect>')
    return f'<g transform="scale({cell:g})" fill="none" pointer-events="all">{"".join(squares)}</g>'


def _outline(differing: np.ndarray) -> str:
    """Return the path of the lines around the regions of cells that differ."""
    padded = np.pad(differing, 1)
    down = np.argwhere(padded[:-1, 1:-1] != padded[1:, 1:-1]).tolist()
    across = np.argwhere(padded[1:-1, :-1] != padded[1:-1, 1:]).tolist()
    lines = [f"M{column} {row}h1" for row, column in down]
    lines += [f"M{column} {row}v1" for row, column in across]
    return "".join(lines)
