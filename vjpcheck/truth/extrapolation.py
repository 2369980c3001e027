"""Derivatives from central differences, extrapolated to step 0, and how far they can be trusted.

Ridders' method: for steps h, h/2, h/4, … Richardson extrapolation takes one even power of h after the other
out of the error, and neighbours in the table that agree say which of its entries is best.
"""

from __future__ import annotations

import numpy as np

LEVELS = 8  # steps, each half of the one before


def steps(x: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Return the steps along a direction, the largest first; none takes an entry of x through 0.

    So the commonest kinks, and the ends of the commonest domains, are not crossed. Entries of x that are 0,
    or next to it, must be moved through it all the same. Both arrays have the same shape; neither is empty.
    """
    size, moved = np.abs(x), np.abs(direction)
    kept = (moved > 0) & (size > 1e-4 * max(float(size.max()), 1e-4))
    largest = 0.1 / float(moved.max())
    if kept.any():
        largest = min(largest, float((size[kept] / moved[kept]).min()) / 4)
    # powers of 2: x + h and x - h are then as far apart as they are meant to be
    start = 2.0 ** np.floor(np.log2(largest))
    return np.asarray(start / 2.0 ** np.arange(LEVELS))


def derivative(
    h: np.ndarray, plus: np.ndarray, minus: np.ndarray, centre: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the derivative of each entry along a direction, and how far it may be off.

    `plus` and `minus` have the values at x + h d and x - h d, a row a step, and `centre` those at x; NaN
    stands for what could not be computed. It may be off by infinity where nothing can be said.
    """
    with np.errstate(all="ignore"):
        by = h[:, None]
        best, doubt = _settled(*_table((plus - minus) / (2 * by), first_power=2))
        # at a kink the slopes to both sides differ however small the step is; elsewhere, in proportion to it
        jump, _ = _settled(*_table((plus - 2 * centre + minus) / by, first_power=1))
        doubt = np.maximum(doubt, np.abs(jump))
    return np.where(np.isfinite(doubt), best, 0.0), np.where(np.isfinite(doubt), doubt, np.inf)


def _table(measured: np.ndarray, first_power: int) -> tuple[np.ndarray, np.ndarray]:
    """Return all extrapolated values, and by how much each differs from what it was made from.

    The error of what was measured has the powers of the step from this one on, every second of them.
    """
    values, errors = [], []
    column = measured
    for power in range(first_power, first_power + 2 * (len(measured) - 1), 2):
        further = (2.0**power * column[1:] - column[:-1]) / (2.0**power - 1)
        values.append(further)
        errors.append(np.maximum(np.abs(further - column[1:]), np.abs(further - column[:-1])))
        column = further
    differences = np.concatenate(errors)
    return np.concatenate(values), np.where(np.isnan(differences), np.inf, differences)


def _settled(values: np.ndarray, errors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the best value of each column; three have to agree, as one error may be small by accident."""
    order = np.argsort(errors, axis=0)[:3]
    chosen = np.take_along_axis(values, order, axis=0)
    apart = np.abs(chosen - chosen[0]).max(axis=0)
    return chosen[0], np.maximum(apart, errors.min(axis=0))
