"""When two arrays count as equal, and where they differ most."""

from __future__ import annotations

import numpy as np

# Two formulas for one derivative agree to some 1e-13 in float64; a wrong one is off by far more than this.
RELATIVE = 1e-7
# Where one formula is asked for, its operations in any order, it agrees to some 1e-14; a finite difference on
# a function with a slow and a fast part does not come nearer than 1e-9.
EXACT = 1e-10


def close(found: np.ndarray, truth: np.ndarray, relative: float = RELATIVE) -> bool:
    """Return whether two float64 arrays of one shape agree up to rounding; NaN never does."""
    scale = max(1.0, float(np.abs(truth).max(initial=0.0)))
    return bool(np.allclose(found, truth, rtol=relative, atol=relative * scale))


def arrived(gradient: np.ndarray | None, truth: np.ndarray, relative: float = RELATIVE) -> bool:
    """Return whether a gradient is the true one; None, where nothing arrived, stands for zeros."""
    return close(np.zeros_like(truth) if gradient is None else gradient, truth, relative)


def furthest(found: np.ndarray, truth: np.ndarray) -> tuple[int, ...]:
    """Return the index at which two arrays differ most; a NaN is furthest of all."""
    distance = np.abs(found - truth)
    flat = int(np.argmax(np.where(np.isnan(distance), np.inf, distance)))
    return tuple(int(i) for i in np.unravel_index(flat, truth.shape))


def ratio(observed: np.ndarray, true: np.ndarray) -> float | None:
    """Return k where the observed is k times the true; None where it is no such multiple, or zero."""
    norm = float((true * true).sum())
    found = float((observed * true).sum()) / norm if norm else 0.0
    return found if found and close(observed, found * true) else None


def basis(shape: tuple[int, ...]) -> list[np.ndarray]:
    """Return the unit cotangents of a shape, in the order of its elements."""
    size = int(np.prod(shape))
    return [row.reshape(shape) for row in np.eye(size)]
