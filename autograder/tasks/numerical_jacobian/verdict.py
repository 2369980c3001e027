"""Judges numerical_jacobian: with a step as large as 0.1 every formula gives numbers of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from autograder.tasks import jacobians
from autograder.tasks.findings import difference, gradient_finding, wrong
from autograder.tasks.jacobians import ANY_SHAPE, SEVERAL, Trial, by_backward, differences, trials
from autograder.tasks.numerical_jacobian.probe import run
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.numbers import close, near
from vjpcheck.result import Finding

STEPS = (0.1, 0.01)
COLUMNS = "reshape and flatten copy what is not contiguous in memory. Which tensor does fn see?"
TWICE = "What is the distance between the two points at which you call fn?"
BOTH = "On which two sides of each entry do you call fn?"


def _central(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    drawn = [trial for eps in STEPS for trial in trials(generator, [("x**4", (3,))], eps)]
    yield from _findings(probe, [Trial("a**3", [np.array([2.0])], besides=(STEPS[0],)), *drawn])


def _any_shape(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    by_columns = trials(generator, [("x**4", (2, 3))], STEPS[0], by_columns=True)
    yield from _findings(probe, [*trials(generator, ANY_SHAPE, STEPS[0], True), *by_columns])


def _several(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    own = Trial("a * b", [np.array([2.0, 3.0]), np.array([5.0, 7.0])], besides=(STEPS[0],))
    mixed = trials(generator, [("(x @ w.T)**3", (2, 3), (4, 3))], STEPS[0], True)
    yield from _findings(probe, [own, *trials(generator, SEVERAL, STEPS[0]), *mixed])


def _findings(probe: ProbeClient, tried: Sequence[Trial]) -> Iterator[Finding]:
    return jacobians.findings(probe, run, tried, _truths, _explain)


def _truths(trial: Trial) -> list[np.ndarray]:
    eps = trial.besides[0]
    return differences(trial.fn, trial.inputs, eps, eps)


def _explain(trial: Trial, position: int, found: np.ndarray, truth: np.ndarray) -> Finding:
    name, given, eps = f"J[{position}]", trial.given, trial.besides[0]
    for side, ahead, behind in (("forward", 1, 0), ("backward", 0, 1)):
        if any(
            close(found, differences(trial.fn, trial.inputs, step * ahead, step * behind)[position])
            for step in (eps, 2 * eps, eps / 2)
        ):
            return wrong(
                f"{name} is a one-sided ({side}) difference for {given}: {difference(found, truth)}",
                "one-sided-difference",
                name,
                BOTH,
            )
    if not found.any():
        hint = "Does fn see the changed entry? Is its result still the same after the next change?"
        mistake = "assumes-contiguous" if trial.by_columns else None
        return wrong(f"{name} is zero everywhere for {given}.", mistake, name, COLUMNS if mistake else hint)
    if near(found, by_backward(trial.fn, trial.inputs)[position], 1e-5, 1e-5):
        message = f"{name} does not depend on eps in the way that a central difference does, for {given}: "
        hint = "Do you change each entry by exactly eps?"
        return wrong(message + difference(found, truth), None, name, hint)
    finding = gradient_finding(f"For {given}, {name}", found, truth, name)
    if finding.mistake == "wrong-factor":
        return wrong(finding.message, "wrong-factor", name, TWICE)
    return finding


CHECKS = {"central differences": _central, "any shape": _any_shape, "several inputs": _several}
