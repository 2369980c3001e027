"""Distinguishes a gradient that has lost digits from one by a wrong formula."""

from __future__ import annotations

import numpy as np

from vjpcheck.case import Case, Trial
from vjpcheck.mistakes import named
from vjpcheck.numbers import furthest, is_not
from vjpcheck.result import Finding

CHECK = "gradient"
NARROW = 1  # right digits if the node keeps only numbers with fewer bits
ROUNDED = 6  # right digits if one number of the formula was rounded to float32
SOME = 3  # right digits that no wrong formula has in every entry


def right_digits(case: Case, position: int) -> int:
    """Return the smallest number of right digits of a gradient in all trials; 0 if the gradient is exact."""
    pairs = [
        (trial.gradient(position), trial.truth(position))
        for trial in case.trials
        if "error" not in trial.answer and trial.asks(position)
    ]
    if not all(np.isfinite(gradient).all() for gradient, _ in pairs):
        return 0
    off = max(float(np.abs(f - t).max() / (np.abs(t).max() or 1.0)) for f, t in pairs if t.size)
    return int(-np.log10(off)) if 0 < off < 1 else 0


def kept_narrow(case: Case) -> str:
    """Return a sentence about a tensor that the node keeps with fewer bits than the inputs, or ''."""
    kept = (pair for inspection in case.inspections for pair in inspection["narrow"].items())
    place, dtype = next(kept, ("", ""))
    return f"{place} is kept in {dtype}." if place else ""


def not_precise(case: Case, trial: Trial, position: int, digits: int) -> Finding:
    """Return the finding for a gradient with only so many right digits."""
    name, gradient, truth = case.name(position), trial.gradient(position), trial.truth(position)
    entry = furthest(gradient, truth)
    at = f"{name}[{', '.join(map(str, entry))}]" if entry else name
    right = f"{digits} digits" if digits > 1 else "one digit"
    message = (
        f"The gradient for {name} is right to only {right}: that of {at} "
        f"{is_not(gradient[entry], truth[entry])}."
    )
    return named("not-precise", CHECK, name, f"{message} {kept_narrow(case)}".strip())
