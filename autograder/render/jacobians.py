"""The Jacobian that backward gives beside the true one: drawn, as marks, in words."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.result import Jacobians

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CELLS_AT_MOST = 4000
INK = "#010203"  # stands for the page's own text colour, in light and in dark themes
FRAME = "#808080"
CELL_WITH_NUMBER, SIDE_AT_MOST, GAP, TITLE_WIDTH = 0.32, 3.0, 0.7, 1.4  # inches
ROWS_WITH_NUMBERS, COLUMNS_WITH_NUMBERS = 16, 9
ENTRIES_TOLD = 3
POINTS = 72  # an inch of the picture


def in_words(jacobians: Jacobians) -> str:
    """Return how many entries differ, and the first of them with both numbers."""
    differing = np.argwhere(jacobians.differing())
    rows, columns = jacobians.true.shape
    told = "; ".join(_entry(jacobians, *map(int, place)) for place in differing[:ENTRIES_TOLD])
    more = "; …" if len(differing) > ENTRIES_TOLD else ""
    return (
        f"The Jacobian that backward gives and the true one, {rows} × {columns}, differ in "
        f"{len(differing)} of {rows * columns} entries: {told}{more}."
    )


def _entry(jacobians: Jacobians, row: int, column: int) -> str:
    output, given = jacobians.entry(row, column)
    found, true = (f"{float(j[row, column]):.4g}" for j in (jacobians.observed, jacobians.true))
    return f"output{output} by input{given} is {found} and should be {true}"


def as_marks(jacobians: Jacobians, rows_at_most: int = 16, columns_at_most: int = 48) -> list[str]:
    """Return a line a row: ✗ where the two differ, = where they agree, · where they agree on 0.

    Returns nothing for Jacobians too large to be taken in.
    """
    rows, columns = jacobians.true.shape
    if rows > rows_at_most or columns > columns_at_most:
        return []
    agreed = np.where(jacobians.true == 0, "·", "=")
    marks = np.where(jacobians.differing(), "✗", agreed)
    return [" ".join(row) for row in marks]


def as_svg(jacobians: Jacobians) -> str:
    """Return both Jacobians as heat maps in one inline SVG, the differing cells outlined.

    Text and frames take the page's own colour. Returns an empty string for Jacobians too large to be drawn.
    """
    rows, columns = jacobians.true.shape
    if rows * columns > CELLS_AT_MOST:
        return ""
    from matplotlib import rc_context  # not at the top: most results have nothing to draw
    from matplotlib.figure import Figure

    numbers = rows <= ROWS_WITH_NUMBERS and columns <= COLUMNS_WITH_NUMBERS
    cell = CELL_WITH_NUMBER if numbers else min(CELL_WITH_NUMBER, SIDE_AT_MOST / max(rows, columns))
    width, height = columns * cell, rows * cell
    place = max(width, TITLE_WIDTH) + GAP  # narrow Jacobians stand apart by the width of their titles
    settings: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "jacobians", "font.size": 8}
    with rc_context(settings):
        figure = Figure(figsize=(2 * place, height + GAP))
        figure.patch.set_alpha(0)
        given = {"what backward gives": jacobians.observed, "what it should give": jacobians.true}
        written = ""
        for number, (title, values) in enumerate(given.items()):
            left, bottom = (number + 0.5) * place - width / 2, 0.45 * GAP
            total = 2 * place, height + GAP
            axes = figure.add_axes(
                (left / total[0], bottom / total[1], width / total[0], height / total[1]), title=title
            )
            limit = _draw(axes, values, jacobians)
            if numbers:
                written += _write(values, left, total[1] - bottom - height, limit)
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    return _inline(drawn.getvalue().replace("</svg>", f"{written}</svg>"), in_words(jacobians))


def _draw(axes: Axes, values: np.ndarray, jacobians: Jacobians) -> float:
    """Draw one of the two into its axes; return the number that has the darkest colour."""
    from matplotlib import colormaps

    rows, columns = values.shape
    both = np.concatenate([jacobians.observed, jacobians.true])
    limit = float(np.abs(both[np.isfinite(both)]).max(initial=0.0)) or 1.0
    # zeros are left blank: the pattern is seen at a glance, and on a dark page too
    shown = np.ma.masked_where(~np.isfinite(values) | (values == 0), values)
    colours = colormaps["PuOr_r"].with_extremes(bad=(0, 0, 0, 0))
    axes.imshow(shown, colours, interpolation="none", extent=(0, columns, rows, 0), vmin=-limit, vmax=limit)
    axes.set_facecolor("none")
    axes.title.set_color(INK)
    axes.set_xlabel(f"entries of the input {_shape(jacobians.input_shape)}", color=INK)
    axes.set_ylabel(f"entries of the output {_shape(jacobians.output_shape)}", color=INK)
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_color(FRAME)
        spine.set_linewidth(0.6)
    _outline(axes, jacobians.differing())
    return limit


def _write(values: np.ndarray, left: float, top: float, limit: float) -> str:
    """Return SVG that writes each number into its cell: 200 of matplotlib's own texts would take 0.1 s.

    Black or white on the colours, in the page's colour elsewhere; left and top in inches.
    """
    texts = []
    for (row, column), value in np.ndenumerate(values):
        blank = not np.isfinite(value) or value == 0
        colour = INK if blank else "white" if abs(value) > 0.6 * limit else "black"
        x, y = (POINTS * (start + (n + 0.5) * CELL_WITH_NUMBER) for start, n in ((left, column), (top, row)))
        number = "0" if value == 0 else f"{value:.2g}"
        texts.append(f'<text x="{x:.2f}" y="{y:.2f}" fill="{colour}">{number}</text>')
    style = "font: 6.5px 'DejaVu Sans', sans-serif; text-anchor: middle; dominant-baseline: central"
    return f'<g style="{style}">{"".join(texts)}</g>\n'


def _outline(axes: Axes, differing: np.ndarray) -> None:
    """Draw one line around each region of cells that differ."""
    from matplotlib.collections import LineCollection

    padded = np.pad(differing, 1)
    segments: list[Any] = []
    for row in range(differing.shape[0] + 1):
        edge = padded[row, 1:-1] != padded[row + 1, 1:-1]
        segments += [((column, row), (column + 1, row)) for column in np.flatnonzero(edge)]
    for column in range(differing.shape[1] + 1):
        edge = padded[1:-1, column] != padded[1:-1, column + 1]
        segments += [((column, row), (column, row + 1)) for row in np.flatnonzero(edge)]
    axes.add_collection(LineCollection(segments, colors=INK, linewidths=1.8, clip_on=False, zorder=3))


def _shape(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape)) if shape else "(a number)"


def _inline(svg: str, text: str) -> str:
    """Cut a file down to its <svg> element, give it a text alternative and the page's text colour."""
    from html import escape

    element = svg[svg.index("<svg") :]
    element = re.sub(r"<metadata>.*?</metadata>\s*", "", element, flags=re.DOTALL)
    used = set(re.findall(r"#([\w.-]+)", element))
    element = re.sub(r' id="([\w.-]+)"', lambda found: found[0] if found[1] in used else "", element)
    element = element.replace(INK, "currentColor")
    return element.replace("<svg", f'<svg role="img" aria-label="{escape(text)}"', 1)
