"""Names the mistake behind a wrong gradient if the right one is not linear in the cotangent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from vjpcheck.case import Case, Trial
from vjpcheck.mistakes import named
from vjpcheck.naming.failing_call import of_gradient
from vjpcheck.naming.from_hypothesis import first_that_holds, hypothesis, lookalike
from vjpcheck.naming.hypothesis import Hypothesis
from vjpcheck.naming.precision import ROUNDED, not_precise, right_digits
from vjpcheck.numbers import close, furthest, is_not, ratio
from vjpcheck.result import Finding

CHECK = "gradient"


def linear(case: Case, trial: Trial) -> bool:
    """Return whether the pullback asked for is linear in the cotangent, like every true pullback."""
    if case.spec.pullback is None:
        return True
    truth, requires = trial.sample.truth, trial.requires
    one, two = (case.random_cotangents(trial.sample) for _ in range(2))
    both = [None if a is None or b is None else a - 2 * b for a, b in zip(one, two, strict=True)]
    pulled = [truth.vjp(requires, cotangents) for cotangents in (one, two, both)]
    return all(
        a is None or b is None or c is None or close(c, a - 2 * b) for a, b, c in zip(*pulled, strict=True)
    )


def explained(case: Case, trial: Trial, position: int) -> Finding:
    """Return the finding for a wrong gradient."""
    name, digits = case.name(position), right_digits(case, position)
    gradient, truth = trial.gradient(position), trial.truth(position)
    if digits >= ROUNDED:
        return not_precise(case, trial, position, digits)
    if not np.isfinite(gradient).all():
        zeros = any(c is not None and (c == 0).any() for c in trial.cotangents)
        where = " where an entry of the cotangent is 0" if zeros else ""
        return named("not-finite", CHECK, name, f"The gradient for {name} is not finite{where}.")
    cause = (
        first_that_holds(_candidates(case, trial, position), case, trial, position)
        or lookalike(case, position)
        or hypothesis(case, trial, position)
    )
    if cause is not None:
        return replace(named(cause[0], CHECK, name, cause[1]), seen=of_gradient(case, trial, position))
    entry = furthest(gradient, truth)
    c = trial.cotangents[0]
    here = f" for the cotangent {c[entry]:.4g}" if c is not None and c.shape == truth.shape else ""
    message = f"The gradient for {name}{list(entry)} {is_not(gradient[entry], truth[entry])}{here}."
    return Finding(CHECK, message, None, name, "Compute this entry by hand.")


def _candidates(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield wrong gradients whose names do not depend on the formula."""
    for_x = f"The gradient for {case.name(position)}"
    none = f"{case.name(position)} receives no gradient."
    yield Hypothesis("missing-gradient", none, lambda t: np.zeros_like(t.truth(position)))
    constant = partial(_for_another_cotangent, case=case, at=position)
    yield Hypothesis("missing-grad-output", f"{for_x} does not depend on the cotangent.", constant)
    yield Hypothesis("wrong-sign", f"{for_x} has the opposite sign.", lambda t: -t.truth(position))
    times = ratio(trial.gradient(position), trial.truth(position)) or 1.0
    text = f"{for_x} is {times:.4g} times the true one."
    yield Hypothesis("wrong-factor", text, lambda t: times * t.truth(position))
    text = f"{for_x} has the right size everywhere, and the wrong sign in places."
    yield Hypothesis("wrong-sign-in-places", text, partial(_with_signs, at=position))


def _for_another_cotangent(trial: Trial, case: Case, at: int) -> np.ndarray | None:
    """Return the student's gradient of the first trial with these inputs."""
    alike = (t for t in case.trials if t.sample is trial.sample and t.requires == trial.requires)
    return next(alike).gradient(at)


def _with_signs(trial: Trial, at: int) -> np.ndarray:
    """Return the true gradient with the signs of the student's."""
    signed: np.ndarray = np.copysign(trial.truth(at), trial.gradient(at))
    return signed
