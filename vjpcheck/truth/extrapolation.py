"""Extrapolates central differences to step 0, and bounds the error of the derivative.

This is Ridders' method. For steps h, h/2, h/4, … Richardson extrapolation removes one even power of h after
the other from the error. The best entry of the table is the one that agrees with its neighbours.
"""

from __future__ import annotations

import numpy as np

LEVELS = 8  # steps, each half of the one before


def steps(x: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Return the steps along a direction, the largest first; none takes an entry of x through 0.

    Thus the steps do not cross the commonest kinks and the ends of the commonest domains. Entries of x that
    are 0 or almost 0 are still moved through 0. Both arrays have the same shape and are not empty.
    """
    size, moved = np.abs(x), np.abs(direction)
    kept = (moved > 0) & (size > 1e-4 * max(float(size.max()), 1e-4))
    largest = 0.1 / float(moved.max())
    if kept.any():
        largest = min(largest, float((size[kept] / moved[kept]).min()) / 4)
    # powers of 2, so that the distance of x + h and x - h is exact
    start = 2.0 ** np.floor(np.log2(largest))
    return np.asarray(start / 2.0 ** np.arange(LEVELS))


def derivative(
    h: np.ndarray, plus: np.ndarray, minus: np.ndarray, centre: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the derivative of each entry along a direction, and a bound on its error.

    `plus` and `minus` have the values at x + h d and x - h d, one row per step, and `centre` those at x. NaN
    stands for a value that could not be computed. The bound is infinite if nothing is known.
    """
    with np.errstate(all="ignore"):
        by = h[:, None]
        best, doubt = _settled(*_table((plus - minus) / (2 * by), first_power=2))
        # at a kink the slopes on both sides differ for every step; elsewhere the difference goes to 0 with it
        jump, _ = _settled(*_table((plus - 2 * centre + minus) / by, first_power=1))
        doubt = np.maximum(doubt, np.abs(jump))
    return np.where(np.isfinite(doubt), best, 0.0), np.where(np.isfinite(doubt), doubt, np.inf)


def _table(measured: np.ndarray, first_power: int) -> tuple[np.ndarray, np.ndarray]:
    """Return all extrapolated values, and the difference of each from the values that it was made from.

    The error of the measured values has every second power of the step, starting with `first_power`.
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
    """Return the best value of each column; three must agree, because one error may be small by chance."""
    order = np.argsort(errors, axis=0)[:3]
    chosen = np.take_along_axis(values, order, axis=0)
    apart = np.abs(chosen - chosen[0]).max(axis=0)
    return chosen[0], np.maximum(apart, errors.min(axis=0))
