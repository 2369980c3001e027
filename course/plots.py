"""The plots of the lessons, each in one call, so that a lesson shows what is drawn and not how.

One accent colour, direct labels in place of legends, greys that can be read on white, on black and on paper
(`matplotlibrc` beside the lessons). Each function draws and shows a figure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

ACCENT, GREY = "#d55e00", "#777777"
SHADES = (ACCENT, "#f0b890", "#bbbbbb")
CELL, LETTER = 0.55, 0.095  # inches: of a cell of a table at least, and of a letter of 10 points

Curve = tuple[Sequence[float], Sequence[float]]


def curves(
    drawn: Mapping[str, Curve],
    *,
    title: str,
    xlabel: str,
    ylabel: str,
    scale: str = "linear",
    levels: Mapping[str, float] | None = None,
    ticks: Sequence[float] | None = None,
    marker: str = "o-",
    dotted: Sequence[str] = (),
) -> None:
    """Draw curves, each labelled at its end; the first in the accent colour, the others grey.

    `drawn` maps a label to its x and y, `levels` a label to the height of a dotted line. `scale` is "linear"
    or "log", for both axes. `ticks` are the places on the x axis that get a number. The curves with a label
    in `dotted` are dotted and without markers, as what was not measured should be.
    """
    _, axes = plt.subplots(figsize=(6.5, 3.4))
    axes.set_xscale(scale)
    axes.set_yscale(scale)
    for label, height in (levels or {}).items():
        axes.axhline(height, color=GREY, linestyle=":")
        axes.annotate(label, (0, height), (4, 3), _ACROSS, textcoords="offset points", color=GREY)
    for index, (label, (x, y)) in enumerate(drawn.items()):
        colour = GREY if index else ACCENT
        style = ":" if label in dotted else marker
        axes.plot(x, y, style, color=colour, markersize=4, zorder=2 if index else 3)
        axes.annotate(label, (x[-1], y[-1]), (8, 0), textcoords="offset points", color=colour, va="center")
    axes.set(title=title, xlabel=xlabel, ylabel=ylabel)
    if ticks is not None:
        axes.set_xticks(ticks, [f"{tick:,g}" for tick in ticks])
        axes.minorticks_off()
    _finish(axes)


def bars(drawn: Mapping[str, Mapping[str, float]], *, title: str, xlabel: str, unit: str = "") -> None:
    """Draw one horizontal bar per label, stacked from named parts, each part with its name and size."""
    names = list(dict.fromkeys(part for parts in drawn.values() for part in parts))
    shades = {name: SHADES[index % len(SHADES)] for index, name in enumerate(names)}
    _, axes = plt.subplots(figsize=(6.5, 0.9 + 0.45 * len(drawn)))
    for row, parts in enumerate(drawn.values()):
        left = 0.0
        for name, size in parts.items():
            axes.barh(row, size, left=left, color=shades[name], edgecolor="none")
            label = f"{name} {size:.3g}{unit}".strip()
            axes.text(left + size / 2, row, label, ha="center", va="center", color="black")
            left += size
    axes.set_yticks(range(len(drawn)), list(drawn))
    axes.invert_yaxis()
    axes.set(title=title, xlabel=xlabel)
    _finish(axes)


def tables(
    drawn: Mapping[str, Any], *, xlabel: str, ylabel: str, marked: Mapping[str, Any] | None = None
) -> None:
    """Draw matrices side by side as tables of numbers, shaded by size, or where `marked` is true.

    `drawn` maps a title to a matrix, `marked` a title to a matrix of booleans of the same shape.
    """
    matrices = {title: np.asarray(matrix, dtype=float) for title, matrix in drawn.items()}
    widths = [matrix.shape[1] for matrix in matrices.values()]
    height = max(matrix.shape[0] for matrix in matrices.values())
    letters = max(len(_short(entry)) for matrix in matrices.values() for entry in matrix.flat)
    cell = max(CELL, LETTER * (letters + 1))
    figure, panes = plt.subplots(
        1,
        len(matrices),
        figsize=(1.2 + cell * sum(widths), 1.1 + 0.4 * height),
        width_ratios=widths,
        squeeze=False,
    )
    for axes, (title, matrix) in zip(panes[0], matrices.items(), strict=True):
        shaded = np.abs(matrix) if marked is None else np.asarray(marked[title], dtype=float)
        largest = float(shaded.max()) or 1.0
        axes.imshow(shaded, cmap="Oranges", vmin=0, vmax=1.4 * largest, aspect=CELL / cell)
        for (row, column), entry in np.ndenumerate(matrix):
            axes.text(column, row, _short(entry), ha="center", va="center", color="black", fontsize=10)
        axes.set_title(title, fontsize=10)
        axes.set(xticks=[], yticks=[], xlabel=xlabel, ylabel=ylabel)
    figure.tight_layout()
    plt.show()


def _short(entry: float) -> str:
    return f"{entry:.3g}"


_ACROSS = ("axes fraction", "data")  # x from the left edge, y at the curve's height


def _finish(axes: Axes) -> None:
    axes.title.set_fontsize(11)
    axes.spines[["top", "right"]].set_visible(False)
    plt.show()
