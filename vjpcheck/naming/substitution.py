"""Tests whether a wrong gradient is the right formula with input and output exchanged."""

from __future__ import annotations

from math import prod

import numpy as np

from vjpcheck.arguments import Arguments
from vjpcheck.case import Sample
from vjpcheck.numbers import close, near

GRID = np.linspace(-6.0, 6.0, 2400)


def at_the_output(sample: Sample, output: int = 0) -> np.ndarray | None:
    """Return the true Jacobian of an output at f(x) in place of x.

    Only for functions of one tensor. A Jacobian of zeros and ones says nothing: many mistakes give those.
    """
    position, y = _only_input(sample), sample.truth.outputs[output]
    if position is None or y.shape != np.asarray(sample.arguments[position]).shape:
        return None
    there = sample.truth.at(_with(sample, position, y)).jacobian(position, output)
    return None if np.isin(np.abs(there), (0.0, 1.0)).all() else there


def at_the_input(sample: Sample, observed: np.ndarray) -> np.ndarray | None:
    """Return the observed Jacobian if it is h(x), where the derivative of an elementwise y = f(x) is h(y).

    h is tabulated on a grid, so f has to be strictly monotone, and an entry of x counts only if it is in the
    range of f.
    """
    position = _only_input(sample) if len(sample.truth.outputs) == 1 else None
    x = None if position is None else sample.arguments[position]
    if position is None or not isinstance(x, np.ndarray) or sample.truth.outputs[0].shape != x.shape:
        return None
    diagonal = np.diag(observed)
    elementwise = _is_diagonal(observed) and _is_diagonal(sample.truth.jacobian(position))
    table = _table(sample, position, x.shape) if elementwise and sample.truth.tabulates else None
    if table is None:
        return None
    y, slopes = table
    order = np.argsort(y)
    inside = (x.ravel() > y.min()) & (x.ravel() < y.max())
    expected = np.interp(x.ravel()[inside], y[order], slopes[order])
    if expected.size < 3 or np.ptp(expected) < 1e-3:
        return None
    return observed if near(diagonal[inside], expected, 1e-4, 1e-5) else None


def _table(sample: Sample, position: int, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the function and its derivative on the grid; None if it is not strictly monotone there."""
    requires = [index == position for index in range(len(sample.arguments))]
    values, slopes = [], []
    for part in np.resize(GRID, (-(-GRID.size // prod(shape)), *shape)):
        truth = sample.truth.at(_with(sample, position, part))
        slope = truth.vjp(requires, [np.ones(shape)])[position]
        assert slope is not None
        values.append(truth.outputs[0].ravel())
        slopes.append(slope.ravel())
    y = np.concatenate(values)[: GRID.size]
    monotone = (np.diff(y) * np.sign(y[-1] - y[0]) > 0).all()
    return (y, np.concatenate(slopes)[: GRID.size]) if monotone else None


def _only_input(sample: Sample) -> int | None:
    positions = [p for p, argument in enumerate(sample.truth.arguments) if isinstance(argument, np.ndarray)]
    return positions[0] if len(positions) == 1 else None


def _with(sample: Sample, position: int, value: np.ndarray) -> Arguments:
    return tuple(value if p == position else argument for p, argument in enumerate(sample.truth.arguments))


def _is_diagonal(matrix: np.ndarray) -> bool:
    return close(np.diag(np.diag(matrix)), matrix)
