"""Draws the Jacobian of backward beside the true one, in the page's own colours.

No text is smaller than 11 pixels. On a phone the two maps are placed below each other and not shrunk.
matplotlib is not used: its figures take about 40 ms each, and a class has hundreds of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vjpcheck.escaping import for_html
from vjpcheck.render.jacobians import in_words
from vjpcheck.result import Jacobians

CELLS_AT_MOST = 4000
ROWS_WITH_NUMBERS, COLUMNS_WITH_NUMBERS = 16, 9
CELL_WITH_NUMBER, CELL_WITHOUT, SIDE_AT_MOST = (38.0, 28.0), 20.0, 216.0  # pixels
LETTERS_IN_CELL = 6
# the height of a line of text, and the largest width of a letter of 11 pixels
LINE, LETTER = 16.0, 6.2
LINES = '<path fill="none" vector-effect="non-scaling-stroke" '
FRAME = f'{LINES}stroke="#808080"'
OUTLINE = f'{LINES}stroke="currentColor" stroke-width="2" stroke-linecap="square"'
TITLES = ("from backward", "correct")

# ColorBrewer's 11-class PuOr, from violet to brown, with 0 in the middle; the colour-blind can distinguish it
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
HATCHING = (0.2, 0.4)  # the distances from the corner at which the lines of a cell's hatching begin
LABELLED_AT_MOST = 400  # cells that show their value under the pointer
LEVELS = 20  # of colour on either side of 0; cells of one colour form one path


def as_maps(jacobians: Jacobians) -> str:
    """Return both Jacobians as heat maps with the differing cells outlined, side by side if there is room.

    The result is a fragment of a page that is also well-formed XML. Zeros, infinities and NaN stay blank.
    Returns an empty string for Jacobians that are too large to draw.
    """
    rows, columns = jacobians.true.shape
    if not 0 < rows * columns <= CELLS_AT_MOST:
        return ""
    both = np.stack([jacobians.observed, jacobians.true])
    limit = float(np.abs(both[np.isfinite(both)]).max(initial=0.0)) or 1.0
    maps = "".join(_map(jacobians, title, values, limit) for title, values in zip(TITLES, both, strict=True))
    return (
        f'<div role="img" aria-label="{for_html(in_words(jacobians))}" '
        f'style="display: flex; flex-wrap: wrap; gap: 10px 24px">{maps}</div>'
    )


def _map(jacobians: Jacobians, title: str, values: np.ndarray, limit: float) -> str:
    page = _Page.of(jacobians)
    across, down = page.cell
    return (
        f'<svg width="{page.width:g}" height="{page.height:g}" viewBox="0 0 {page.width:g} {page.height:g}" '
        f'style="flex: none" xmlns="http://www.w3.org/2000/svg" fill="currentColor" '
        f'font-family="system-ui, sans-serif" font-size="11" text-anchor="middle">'
        f'<g transform="translate({page.left:g} {page.top:g})">{page.words(title)}'
        f'<g transform="scale({across:g} {down:g})">{"".join(_cells(values, limit))}'
        f'{FRAME} d="M0 0H{page.columns}V{page.rows}H0Z"/>'
        f'{OUTLINE} d="{_outline(jacobians.differing())}"/></g>'
        f"{''.join(_numbers(values, limit)) if page.numbers else ''}"
        f"{_labels(jacobians, values, page.cell)}</g></svg>"
    )


@dataclass(frozen=True)
class _Page:
    """The layout of a map and its labels, in pixels."""

    cell: tuple[float, float]
    rows: int
    columns: int
    numbers: bool
    output: str
    input: str

    @staticmethod
    def of(jacobians: Jacobians) -> _Page:
        rows, columns = jacobians.true.shape
        numbers = rows <= ROWS_WITH_NUMBERS and columns <= COLUMNS_WITH_NUMBERS
        side = min(CELL_WITHOUT, SIDE_AT_MOST / max(rows, columns))
        output, source = (_shape(shape) for shape in (jacobians.output_shape, jacobians.input_shape))
        cell = CELL_WITH_NUMBER if numbers else (side, side)
        return _Page(cell, rows, columns, numbers, f"output, {output}", f"input, {source}")

    @property
    def across(self) -> float:
        return self.columns * self.cell[0]

    @property
    def down(self) -> float:
        return self.rows * self.cell[1]

    @property
    def place(self) -> float:
        """Return the width of the map or of its labels, whichever is larger."""
        return max(self.across, LETTER * max(map(len, (*TITLES, self.input))))

    @property
    def left(self) -> float:
        """Return the left edge of the cells."""
        return LINE + (self.place - self.across) / 2

    @property
    def top(self) -> float:
        # the label beside a low map extends above and below it
        return LINE + max(0.0, (LETTER * len(self.output) - self.down) / 2)

    @property
    def width(self) -> float:
        return LINE + self.place + 1  # half of the outline

    @property
    def height(self) -> float:
        return 2 * self.top + self.down

    def words(self, title: str) -> str:
        """Return the title above a map, and the labels of its rows and columns."""
        x, half = self.across / 2, LINE / 2
        turned = f"translate({-half:g} {self.down / 2:g}) rotate(-90)"
        # above a narrow map the title would overlap the label beside it
        apart = half if self.across == self.place else self.top - half
        return (
            f'<text dy=".35em" x="{x:g}" y="{-apart:g}">{title}</text>'
            f'<text dy=".35em" x="{x:g}" y="{self.down + apart:g}">{self.input}</text>'
            f'<text dy=".35em" transform="{turned}">{self.output}</text>'
        )


def _shape(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape)) if shape else "a number"


def _blank(values: np.ndarray) -> np.ndarray:
    """Return which cells have no colour, so that the pattern is visible at a glance."""
    blank: np.ndarray = ~np.isfinite(values) | (values == 0)
    return blank


def _colour(level: int) -> np.ndarray:
    place = (level + LEVELS) / (2 * LEVELS) * (len(SCALE) - 1)
    return np.array([np.interp(place, range(len(SCALE)), channel) for channel in SCALE.T]).round()


def _levels(values: np.ndarray, limit: float) -> np.ndarray:
    levels: np.ndarray = np.rint(np.where(_blank(values), 0.0, values) / limit * LEVELS).astype(int)
    return levels


def _cells(values: np.ndarray, limit: float) -> Iterator[str]:
    """Yield for each colour a path of all its cells, and the hatching of its cells below 0.

    The hatching leaves the middle of a cell free for its number.
    """
    places: dict[int, list[tuple[int, int]]] = defaultdict(list)
    levels = _levels(values, limit)
    for row, column in np.argwhere(~_blank(values)).tolist():
        places[int(levels[row, column])].append((row, column))
    for level, cells in sorted(places.items()):
        red, green, blue = (int(part) for part in _colour(level))
        squares = "".join(f"M{column} {row}h1v1h-1z" for row, column in cells)
        yield f'<path fill="#{red:02x}{green:02x}{blue:02x}" d="{squares}"/>'
        lines = "".join(_hatching(row, column) for row, column in cells if values[row, column] < 0)
        if lines:
            yield f'{LINES}class="below" stroke="{_ink(level)}" stroke-opacity=".55" d="{lines}"/>'


def _hatching(row: int, column: int) -> str:
    above = "".join(f"M{column} {row + part:g}l{part:g} -{part:g}" for part in HATCHING)
    below = "".join(f"M{column + 1 - part:g} {row + 1}l{part:g} -{part:g}" for part in HATCHING)
    return above + below


def _ink(level: int) -> str:
    """Return black or white, whichever is visible on a colour."""
    return "black" if _colour(level) @ (0.299, 0.587, 0.114) > 140 else "white"


def in_a_cell(value: float) -> str:
    """Return a number with two digits, or fewer if the cell has no room: 0.13, -4e-3, 1200."""
    if value == 0:
        return "0"
    short = f"{value:.0f}" if 100 <= abs(value) < 10_000 else f"{value:.2g}"
    mantissa, _, exponent = f"{value:.0e}".partition("e")
    return short if len(short) <= LETTERS_IN_CELL else f"{mantissa}e{int(exponent or 0)}"


def _numbers(values: np.ndarray, limit: float) -> Iterator[str]:
    """Yield the number in each cell: black or white on a colour, in the page's text colour elsewhere."""
    levels, blank = _levels(values, limit), _blank(values)
    for (row, column), value in np.ndenumerate(values):
        x, y = ((n + 0.5) * side for n, side in zip((column, row), CELL_WITH_NUMBER, strict=True))
        colour = ""
        if not blank[row, column]:
            colour = f' fill="{_ink(int(levels[row, column]))}"'
        number = in_a_cell(float(value))
        # whatever letters the reader's font has
        fitted = f' textLength="{LETTER * LETTERS_IN_CELL - 3:g}" lengthAdjust="spacingAndGlyphs"'
        width = fitted if len(number) >= LETTERS_IN_CELL else ""
        yield f'<text class="number" dy=".35em" x="{x:g}" y="{y:g}"{width}{colour}>{number}</text>'


def _labels(jacobians: Jacobians, values: np.ndarray, cell: tuple[float, float]) -> str:
    """Return a transparent square with the value in words over each cell that is not 0 in both maps.

    If there are too many such cells, only the first differing cells get one.
    """
    differing = jacobians.differing()
    places = np.argwhere(differing | (jacobians.true != 0)).tolist()
    if len(places) > LABELLED_AT_MOST:
        places = np.argwhere(differing).tolist()[:LABELLED_AT_MOST]
    squares = []
    for row, column in places:
        output, source = jacobians.entry(row, column)
        text = f"output{output} by input{source}: {values[row, column]:.6g}"
        squares.append(f'<rect x="{column}" y="{row}" width="1" height="1"><title>{text}</title></rect>')
    across, down = cell
    return (
        f'<g transform="scale({across:g} {down:g})" fill="none" pointer-events="all">{"".join(squares)}</g>'
    )


def _outline(differing: np.ndarray) -> str:
    """Return the path of the lines around the regions of cells that differ."""
    padded = np.pad(differing, 1)
    down = np.argwhere(padded[:-1, 1:-1] != padded[1:, 1:-1]).tolist()
    across = np.argwhere(padded[1:-1, :-1] != padded[1:-1, 1:]).tolist()
    lines = [f"M{column} {row}h1" for row, column in down]
    lines += [f"M{column} {row}v1" for row, column in across]
    return "".join(lines)
