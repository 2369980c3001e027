"""Names a wrong gradient that combines the terms of the right one with other coefficients.

The true gradient is a sum of terms. The student's gradient is fitted by these terms with coefficients; the
right coefficients are all 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vjpcheck.case import Case, Trial
from vjpcheck.naming.hypothesis import by_pullback
from vjpcheck.numbers import close

# a fit with as many coefficients as numbers would always succeed
MORE_NUMBERS_THAN_TERMS = 2
_EXACT = 1e-6


def other_combination(case: Case, trial: Trial, position: int) -> tuple[str, str] | None:
    """Return the mistake and a sentence if the terms fit the gradients in all trials, else None."""
    if not case.spec.terms:
        return None
    fitted: dict[int, np.ndarray] = {}
    for number, other in enumerate(case.trials):
        if "error" in other.answer or not other.asks(position):
            continue
        columns = _columns(case, other, position)
        if columns is None:
            return None
        gradient = other.gradient(position).ravel()
        coefficients, _, rank, _ = np.linalg.lstsq(columns, gradient, rcond=1e-9)
        if not close(columns @ coefficients, gradient):
            return None
        if rank == columns.shape[1] and len(gradient) >= rank + MORE_NUMBERS_THAN_TERMS:
            fitted[number] = coefficients
    if not fitted:
        return None
    shown = next((fitted[n] for n, other in enumerate(case.trials) if other is trial and n in fitted), None)
    return _describe(case.name(position), list(case.spec.terms), list(fitted.values()), shown)


def _columns(case: Case, trial: Trial, position: int) -> np.ndarray | None:
    """Return the terms of this argument's gradient side by side, or None if it has none."""
    terms = [by_pullback(trial, pullback, position) for pullback in case.spec.terms.values()]
    arrays = [term.ravel() for term in terms if term is not None]
    return np.stack(arrays, axis=1) if len(arrays) == len(terms) else None


def _describe(
    name: str, terms: Sequence[str], fitted: Sequence[np.ndarray], shown: np.ndarray | None
) -> tuple[str, str] | None:
    coefficients = fitted[0] if shown is None else shown
    kinds, parts = [], []
    for index, term in enumerate(terms):
        if all(abs(each[index] - 1) < _EXACT for each in fitted):
            continue
        for mistake, value, clause in KINDS:
            if all(abs(each[index] - value) < _EXACT for each in fitted):
                kinds.append(mistake)
                parts.append(f"{term} {clause}")
                break
        else:
            kinds.append("wrong-factor-of-a-term")
            parts.append(f"{term} is multiplied by {coefficients[index]:.4g}")
    if not kinds:
        return None
    first = next(mistake for mistake in ORDER if mistake in kinds)
    return first, f"In the gradient for {name}, {' and '.join(parts)}."


KINDS = (
    ("missing-term", 0, "is missing"),
    ("wrong-sign-of-a-term", -1, "has the opposite sign"),
)
ORDER = ("missing-term", "wrong-sign-of-a-term", "wrong-factor-of-a-term")
