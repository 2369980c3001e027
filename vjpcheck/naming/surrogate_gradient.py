"""Names the mistake behind a wrong gradient if the right one is not linear in the cotangent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vjpcheck.ask import requests
from vjpcheck.case import Case, Look, Trial
from vjpcheck.mistakes import named
from vjpcheck.naming.failing_call import of_gradient
from vjpcheck.naming.from_hypothesis import hypothesis
from vjpcheck.naming.from_lookalike import lookalike
from vjpcheck.naming.precision import ROUNDED, not_precise, right_digits
from vjpcheck.numbers import close, furthest, is_not, ratio
from vjpcheck.result import Finding

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Pullback

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


def look(case: Case, trial: Trial, position: int) -> Look:
    """Return a look that compares the gradients for three further random cotangents."""
    drawn = [case.random_cotangents(trial.sample) for _ in range(3)]
    questions = [requests.vjp(trial.sample.arguments, trial.requires, cotangents) for cotangents in drawn]

    def read(answers: Sequence[Pullback]) -> Iterator[Finding]:
        pairs = []
        for cotangents, answer in zip(drawn, answers, strict=True):
            again = Trial(trial.sample, trial.requires, cotangents, answer)
            pairs.append((again.gradient(position), again.truth(position)))
        yield _explain(case, trial, position, pairs)

    return Look(questions, read)


def _explain(
    case: Case, trial: Trial, position: int, pairs: Sequence[tuple[np.ndarray, np.ndarray]]
) -> Finding:
    name, digits = case.name(position), right_digits(case, position)
    if digits >= ROUNDED:
        return not_precise(case, trial, position, digits)
    if not np.isfinite(trial.gradient(position)).all():
        message = f"The gradient for {name} is not finite where an entry of the cotangent is 0."
        zeros = any(c is not None and (c == 0).any() for c in trial.cotangents)
        return named(
            "not-finite", CHECK, name, message if zeros else f"The gradient for {name} is not finite."
        )
    if not any(gradient.any() for gradient, _ in pairs):
        return named("missing-gradient", CHECK, name, f"{name} receives no gradient.")
    if all(close(gradient, pairs[0][0]) for gradient, _ in pairs):
        message = f"The gradient for {name} does not depend on the cotangent."
        return named("missing-grad-output", CHECK, name, message)
    times = [ratio(gradient, true) for gradient, true in pairs]
    first = times[0]
    constant = first is not None and all(other is not None and abs(other - first) < 1e-6 for other in times)
    if first is not None and constant and abs(first - 1) > 1e-6:
        if abs(first + 1) < 1e-6:
            return named("wrong-sign", CHECK, name, f"The gradient for {name} has the opposite sign.")
        message = f"The gradient for {name} is {first:.4g} times the true one."
        return named("wrong-factor", CHECK, name, message)
    if all(close(np.abs(gradient), np.abs(true)) for gradient, true in pairs):
        message = f"The gradient for {name} has the right size everywhere, and the wrong sign in places."
        return named("wrong-sign-in-places", CHECK, name, message)
    known = lookalike(case, position)
    where = of_gradient(case, trial, position)
    if known is not None:
        return replace(named(known.mistake, CHECK, name, known.sentence), seen=where)
    proposed = hypothesis(case, trial, position)
    if proposed is not None:
        return replace(named(proposed[0], CHECK, name, proposed[1]), seen=where)
    gradient, truth = trial.gradient(position), trial.truth(position)
    entry = furthest(gradient, truth)
    c = trial.cotangents[0]
    here = f" for the cotangent {c[entry]:.4g}" if c is not None and c.shape == truth.shape else ""
    message = f"The gradient for {name}{list(entry)} {is_not(gradient[entry], truth[entry])}{here}."
    return Finding(CHECK, message, None, name, "Compute this entry by hand.")
