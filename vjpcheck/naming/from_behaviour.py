"""Names a mistake from the behaviour of backward, such as its linearity and reproducibility."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vjpcheck.naming.altered_gradients import cut_off_cotangents
from vjpcheck.naming.evidence import Evidence
from vjpcheck.naming.from_hypothesis import first_that_holds
from vjpcheck.numbers import close, furthest

MISSING = "The gradient for {} is missing if not all inputs require grad."


def _saved_twice(e: Evidence) -> str:
    if e.saves < 2:
        return ""
    return f"save_for_backward was called {e.saves} times, and only the last call counts."


def _not_finite(e: Evidence) -> str:
    if np.isfinite(e.observed).all():
        return ""
    entry = tuple(np.argwhere(~np.isfinite(e.observed))[0])
    return f"The gradient for {e.name} is not finite: {e.entry(entry)}"


def _not_finite_at_zero(e: Evidence) -> str:
    finite = np.isfinite(e.without_cotangent).all() or not e.linear
    return "" if finite else f"The gradient for {e.name} is not finite for a cotangent of zeros."


def _not_reproducible(e: Evidence) -> str:
    return "" if e.reproducible else f"The gradient for {e.name} differs from one backward pass to the next."


def _missing(e: Evidence) -> str:
    if e.depends_on_choice:  # a guard by another entry of needs_input_grad was tested before
        return MISSING.format(e.name)
    arrives = e.arrives_elsewhere or e.arrives_in_another_trial
    nothing = not e.observed.any() and not e.gradient.any() and not arrives
    return f"{e.name} receives no gradient." if nothing else ""


def _wrong_index(e: Evidence) -> str:
    if e.guarded and not e.observed.any() and not e.arrives_elsewhere:
        return f"The gradient for {e.name} is guarded by the wrong entry of needs_input_grad."
    return MISSING.format(e.name) if e.depends_on_choice and e.returned_needlessly else ""


def _ignores_cotangent(e: Evidence) -> str:
    one, *others = e.pullbacks
    same = one.any() and all(close(one, other) for other in others)
    return f"The gradient for {e.name} does not depend on the cotangent." if same else ""


def _mask_on_gradient(e: Evidence) -> str:
    if e.linear:
        return ""
    thresholds = cut_off_cotangents(e.case, e.trial, e.position)
    found = first_that_holds(thresholds, e.case, e.trial, e.position)
    if found is not None:
        return found[1]
    if not e.blind_side:
        return ""
    side = "positive" if e.blind_side > 0 else "negative"
    return f"{e.name} receives no gradient where the cotangent is {side}."


def _without_cotangent(e: Evidence) -> str:
    """Look for a gradient that is linear in the cotangent except for a constant term."""
    alone = e.without_cotangent
    if e.linear or not alone.any() or not e.linear_but_for(alone):
        return ""
    entry = furthest(alone, np.zeros_like(alone))
    place = f"[{', '.join(map(str, entry))}]" if entry else ""
    return (
        f"A term of the gradient for {e.name} does not contain the cotangent: for a zero cotangent, "
        f"the gradient of {e.name}{place} is {alone[entry]:.4g} and should be 0."
    )


def _nonlinear(e: Evidence) -> str:
    return "" if e.linear else f"The gradient for {e.name} is not linear in the cotangent."


# the id of a mistake, and the test that returns a sentence, or ""
BEHAVIOUR: list[tuple[str | None, Callable[[Evidence], str]]] = [
    ("saved-twice", _saved_twice),
    ("not-finite", _not_finite),
    ("wrong-needs-input-grad-index", _wrong_index),
    ("missing-gradient", _missing),
    ("missing-grad-output", _ignores_cotangent),
    ("not-finite", _not_finite_at_zero),
    ("not-reproducible", _not_reproducible),
    ("term-without-cotangent", _without_cotangent),
    ("mask-on-gradient", _mask_on_gradient),
    ("gradient-nonlinear", _nonlinear),
]
