"""Judges numerical_jacobian with a step as large as 0.1, at which every formula gives other numbers."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

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


def _moved(trial: Trial, _: Values, ahead: float, behind: float) -> Values:
    eps = trial.arguments[3]
    return differences(trial, eps * ahead, eps * behind)


def _zeros(trial: Trial, observed: Values) -> Values:
    """Return zeros in the place of observed values that are all zero."""
    return {name: truth * observed[name].any() for name, truth in trial.truths.items()}


def _times(trial: Trial, _: Values, times: float) -> Values:
    return {name: truth * times for name, truth in trial.truths.items()}


SIDES = (("forward", 1, 0), ("backward", 0, 1))
CANDIDATES = [
    *(
        Candidate(
            "one-sided-difference",
            f"is a one-sided ({side}) difference",
            partial(_moved, ahead=times * ahead, behind=times * behind),
            BOTH,
        )
        for times in (1, 2, 0.5)
        for side, ahead, behind in SIDES
    ),
    *(
        Candidate("wrong-factor", f"is {times} times the true one", partial(_times, times=times), TWICE)
        for times in (2, 0.5)
    ),
    Candidate(None, "is zero everywhere", _zeros, UNSEEN),
    Candidate(
        None,
        "does not depend on eps in the way that a central difference does",
        lambda trial, _: by_backward(trial),
        EXACTLY,
        within=1e-5,
    ),
]


def _central(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    drawn = [one for eps in STEPS for one in trials(generator, [("x**4", (3,))], eps)]
    yield from _findings(probe, [trial("a**3", [np.array([2.0])], STEPS[0]), *drawn])


def _any_shape(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    by_columns = trials(generator, [("x**4", (2, 3))], STEPS[0], by_columns=True)
    yield from _findings(probe, [*trials(generator, ANY_SHAPE, STEPS[0], True), *by_columns])


def _several(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    example = trial("a * b", [np.array([2.0, 3.0]), np.array([5.0, 7.0])], STEPS[0])
    mixed = trials(generator, [("(x @ w.T)**3", (2, 3), (4, 3))], STEPS[0], True)
    yield from _findings(probe, [example, *trials(generator, SEVERAL, STEPS[0]), *mixed])


def _findings(probe: ProbeClient, tried: Sequence[Trial]) -> Iterator[Finding]:
    return battery(probe, Probe.run, tried, CANDIDATES)


CHECKS = {"central differences": _central, "any shape": _any_shape, "several inputs": _several}
