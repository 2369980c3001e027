"""Judges numerical_jacobian with a step as large as 0.1, at which every formula gives other numbers."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.other_variant import OTHER_VARIANT
from autograder.tasks.battery import Candidate, Trial, Values
from autograder.tasks.jacobians import ANY_SHAPE, SEVERAL, battery, by_backward, differences, trial, trials
from autograder.tasks.numerical_jacobian.probe import Probe
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.result import Finding

STEPS = (0.1, 0.01)
TWICE = "What is the distance between the two points at which you call fn?"
BOTH = "On which two sides of each entry do you call fn?"
EXACTLY = "Do you change each entry by exactly eps?"
UNSEEN = "Does fn see the changed entry? Is its result still the same after the next change?"


Judged = Callable[[Sequence[Trial]], Iterator[Finding]]


def _zeros(trial: Trial, observed: Values) -> Values:
    """Return zeros in the place of observed values that are all zero."""
    return {name: truth * observed[name].any() for name, truth in trial.truths.items()}


def _judged(probe: ProbeClient, ahead: float, behind: float, layout: str) -> Judged:
    """Return the comparison with the difference between x + ahead·eps and x − behind·eps."""

    def laid_out(values: Values) -> Values:
        return {name: matrix.T for name, matrix in values.items()} if layout == "inputs, outputs" else values

    def quotient(trial: Trial, _: Values, at: tuple[float, float]) -> Values:
        eps = trial.arguments[3]
        return laid_out(differences(trial, eps * at[0], eps * at[1]))

    def scaled(trial: Trial, _: Values, times: float) -> Values:
        return {name: truth * times for name, truth in trial.truths.items()}

    def candidates() -> Iterator[Candidate]:
        if not ahead == behind == 1:
            other = f"{OTHER_VARIANT}: central differences. Your notebook asks for other points."
            yield Candidate(None, other, lambda trial, _: differences(trial, *[trial.arguments[3]] * 2))
        for times in (1, 2, 0.5):
            for side, at in {"forward": (times * ahead, 0.0), "backward": (0.0, times * behind)}.items():
                sentence = f"is a one-sided ({side}) difference"
                yield Candidate("one-sided-difference", sentence, partial(quotient, at=at), BOTH)
        for times in {2: None, 0.5: None, (ahead + behind) / 2: None}:
            sentence = f"is {times:g} times the true one"
            yield Candidate("wrong-factor", sentence, partial(scaled, times=times), TWICE)
        yield Candidate(None, "is zero everywhere", _zeros, UNSEEN)
        sentence = "does not depend on eps in the way that a central difference does"
        yield Candidate(None, sentence, lambda trial, _: laid_out(by_backward(trial)), EXACTLY, within=1e-5)

    asked = partial(quotient, _={}, at=(ahead, behind))
    return lambda tried: battery(probe, Probe.run, tried, [*candidates()], asked)


def _differences(probe: ProbeClient, generator: np.random.Generator, **asked: Any) -> Iterator[Finding]:
    drawn = [one for eps in STEPS for one in trials(generator, [("x**4", (3,))], eps)]
    yield from _judged(probe, **asked)([trial("a**3", [np.array([2.0])], STEPS[0]), *drawn])


def _any_shape(probe: ProbeClient, generator: np.random.Generator, **asked: Any) -> Iterator[Finding]:
    by_columns = trials(generator, [("x**4", (2, 3))], STEPS[0], by_columns=True)
    yield from _judged(probe, **asked)([*trials(generator, ANY_SHAPE, STEPS[0], True), *by_columns])


def _several(probe: ProbeClient, generator: np.random.Generator, **asked: Any) -> Iterator[Finding]:
    example = trial("a * b", [np.array([2.0, 3.0]), np.array([5.0, 7.0])], STEPS[0])
    mixed = trials(generator, [("(x @ w.T)**3", (2, 3), (4, 3))], STEPS[0], True)
    yield from _judged(probe, **asked)([example, *trials(generator, SEVERAL, STEPS[0]), *mixed])


CHECKS = {"differences": _differences, "any shape": _any_shape, "several inputs": _several}
