"""Compares arrays within a tolerance and finds their largest difference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

# Two formulas for one derivative agree to about 1e-13 in float64. With one number of the formula in float32
# they differ by 1e-8.
RELATIVE = 1e-9
# The same formula with its operations in any order agrees to about 1e-14. A finite difference of a function
# with a slow and a fast part has an error of 1e-9 or more.
EXACT = 1e-10
# A few operations in float64 agree to about 1e-15. A difference quotient has an error of 1e-11 or more.
ALL_DIGITS = 1e-12
# float32 has seven digits, of which a formula may lose some; a difference of large numbers loses more
SINGLE_PRECISION = 1e-4
SINGLE = 1e-6  # the error of one operation in float32

_RELATIVE = ContextVar("_RELATIVE", default=RELATIVE)
_ABSOLUTE: ContextVar[float | None] = ContextVar("_ABSOLUTE", default=None)


@contextmanager
def precision(relative: float, absolute: float | None = None) -> Iterator[None]:
    """Let comparisons in the block that name no tolerance use these; the truth may have fewer digits.

    Without `absolute` a tolerance is relative to the largest entry, or to 1.
    """
    before = _RELATIVE.set(relative), _ABSOLUTE.set(absolute)
    try:
        yield
    finally:
        _RELATIVE.reset(before[0])
        _ABSOLUTE.reset(before[1])


def current_precision() -> float:
    """Return the relative tolerance of comparisons that name none."""
    return _RELATIVE.get()


def is_absolute() -> bool:
    """Return whether small numbers may differ by any part of themselves."""
    return _ABSOLUTE.get() is not None


def no_stricter(relative: float) -> float:
    """Return a tolerance, or that of the precision in force if it is looser than usual."""
    return max(relative, _RELATIVE.get()) if _RELATIVE.get() > RELATIVE else relative


def close(observed: np.ndarray, truth: np.ndarray, relative: float | None = None) -> bool:
    """Return whether two arrays have one shape and agree relative to the largest entry; NaN never does."""
    relative = _RELATIVE.get() if relative is None else relative
    absolute = _ABSOLUTE.get()
    if absolute is None:
        absolute = relative * max(1.0, float(np.abs(truth).max(initial=0.0)))
    return near(observed, truth, relative, absolute)


def close_in_proportion(observed: np.ndarray, truth: np.ndarray, relative: float) -> bool:
    """Return whether two arrays agree relative to the largest entry, even a tiny one; NaN never does."""
    return near(observed, truth, relative, relative * float(np.abs(truth).max(initial=0.0)))


def near(observed: np.ndarray, truth: np.ndarray, relative: float, absolute: float = 0.0) -> bool:
    """Return whether two arrays have the same shape and agree entry by entry; NaN never does."""
    return np.shape(observed) == np.shape(truth) and not apart(observed, truth, relative, absolute).any()


def apart(
    observed: np.ndarray, truth: np.ndarray, relative: float | None = None, absolute: float | None = None
) -> np.ndarray:
    """Return where two arrays differ; NaN always does. Raises ValueError for different shapes."""
    relative = _RELATIVE.get() if relative is None else relative
    absolute = _RELATIVE.get() / 100 if absolute is None else absolute
    observed, truth = np.asarray(observed), np.asarray(truth)
    if observed.shape != truth.shape:
        raise ValueError(f"arrays of shapes {observed.shape} and {truth.shape} are compared")
    with np.errstate(invalid="ignore", over="ignore"):
        if observed.dtype.kind == truth.dtype.kind == "f" and np.isfinite(truth).all():
            # the result of isclose for finite truths in a third of the time
            return np.asarray(~(np.abs(observed - truth) <= absolute + relative * np.abs(truth)))
        return np.asarray(~np.isclose(observed, truth, rtol=relative, atol=absolute))


def arrived(gradient: np.ndarray | None, truth: np.ndarray, relative: float | None = None) -> bool:
    """Return whether a gradient is the true one; None stands for zeros."""
    return close(np.zeros_like(truth) if gradient is None else gradient, truth, relative)


def has_digits_of_float32(observed: np.ndarray, truth: np.ndarray) -> bool:
    """Return whether float32 can hold every number of an array, as is unlikely for float64 results."""
    with np.errstate(over="ignore"):
        rounded = observed.astype(np.float32).astype(np.float64)
    exact = bool((rounded == observed).all())
    return exact and close_in_proportion(observed, truth, 1e-4) and not close(rounded, truth, EXACT)


def furthest(observed: np.ndarray, truth: np.ndarray) -> tuple[int, ...]:
    """Return the index at which two arrays differ most; a NaN is furthest of all."""
    distance = np.abs(observed - truth)
    flat = int(np.argmax(np.where(np.isnan(distance), np.inf, distance)))
    return tuple(int(i) for i in np.unravel_index(flat, truth.shape))


def format_distinctly(observed: float, truth: float) -> tuple[str, str]:
    """Return two different numbers as texts with enough digits to look different, at least six."""
    for digits in (6, 9, 12, 17):
        one, other = f"{observed:.{digits}g}", f"{truth:.{digits}g}"
        if one != other:
            break
    return one, other


def is_not(observed: float, truth: float) -> str:
    """Return the words for a wrong number and the right one."""
    return "is {} and should be {}".format(*format_distinctly(float(observed), float(truth)))


def ratio(observed: np.ndarray, true: np.ndarray) -> float | None:
    """Return k if the observed array is k times the true one; None if it is no multiple, or zero."""
    norm = float((true * true).sum())
    factor = float((observed * true).sum()) / norm if norm else 0.0
    return factor if factor and close(observed, factor * true) else None


def basis(shape: tuple[int, ...]) -> list[np.ndarray]:
    """Return the unit cotangents of a shape, in the order of its elements."""
    size = int(np.prod(shape))
    return [row.reshape(shape) for row in np.eye(size)]
