"""Judges numerical_jacobian: with a step as large as 0.1 every formula gives numbers of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from autograder.tasks.findings import difference, gradient_finding, wrong
from autograder.tasks.functions import FUNCTIONS
from autograder.tasks.jacobians import by_backward, differences, form_findings, output_shape
from autograder.tasks.numerical_jacobian.probe import run
from autograder.tasks.returned_jacobians import Jacobians
from vjpcheck.ask.protocol import ProbeClient, Request
from vjpcheck.numbers import EXACT, close, near
from vjpcheck.result import Finding

STEPS = (0.1, 0.01)
COLUMNS = "reshape and flatten copy what is not contiguous in memory. Which tensor does fn see?"
TWICE = "What is the distance between the two points at which you call fn?"
BOTH = "On which two sides of each entry do you call fn?"


def _central(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    own = _Trial("a**3", [np.array([2.0])])
    drawn = [_Trial("x**4", [_draw(generator, 3)], eps) for eps in STEPS]
    special = [_Trial("x**4", [np.array([0.0, 0.0, 1.5])]), _Trial("x**4", [np.array([-1.0, 2.0, 2.0])])]
    yield from _findings(probe, [own, *drawn, *special])


def _any_shape(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    cases = (
        ("(x**4).sum()", (2, 3)),
        ("x**4", ()),
        ("(x**3).T", (2, 3)),
        ("x**4", (2, 1, 3)),
        ("x.T", (3, 2)),
        ("x[1:]", (3, 2)),
    )
    trials = [_Trial(fn, [_draw(generator, *shape)], requires_grad=True) for fn, shape in cases]
    by_columns = _Trial("x**4", [_draw(generator, 2, 3)], by_columns=True)
    yield from _findings(probe, [*trials, by_columns])


def _several(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    own = _Trial("a * b", [np.array([2.0, 3.0]), np.array([5.0, 7.0])])
    cases = (
        ("a**3 * b**4", (3,), (2, 3)),
        ("(x @ w.T)**3", (2, 3), (4, 3)),
        ("exp(s) * x**3", (), (3,)),
        ("a**3, without b", (2,), (3,)),
        ("b[1:], a view, without a", (2,), (3,)),
        ("b.expand(2, *b.shape), without a", (2,), (3,)),
        ("a * b**2 + c**3", (3,), (3,), (2, 3)),
    )
    trials = [_Trial(fn, [_draw(generator, *shape) for shape in shapes]) for fn, *shapes in cases]
    mixed = _Trial("(x @ w.T)**3", [_draw(generator, 2, 3), _draw(generator, 4, 3)], requires_grad=True)
    yield from _findings(probe, [own, *trials, mixed])


def _draw(generator: np.random.Generator, *shape: int) -> np.ndarray:
    drawn = generator.uniform(0.5, 1.5, shape) * generator.choice([-1.0, 1.0], shape)
    return np.asarray(drawn)


@dataclass(frozen=True)
class _Trial:
    """A call of numerical_jacobian."""

    fn: str
    inputs: Sequence[np.ndarray]
    eps: float = 0.1
    requires_grad: bool = False
    by_columns: bool = False

    @property
    def request(self) -> Request[Jacobians]:
        return run(self.fn, self.inputs, self.eps, self.requires_grad, self.by_columns)

    @property
    def elsewhere(self) -> _Trial:
        """Return the same call at inputs of other values."""
        return replace(self, inputs=[array + 0.5 for array in self.inputs])

    @property
    def told(self) -> str:
        shapes = " and ".join(str(array.shape) for array in self.inputs)
        return f"fn = {self.fn} at inputs of shape {shapes}, eps = {self.eps:g}"


def _findings(probe: ProbeClient, trials: Sequence[_Trial]) -> Iterator[Finding]:
    # nothing is left over from the calls in between, nor from one that differs in its values alone
    trials = [*trials, trials[0].elsewhere, trials[0]]
    answers = probe.ask([trial.request for trial in trials])
    for trial, answer in zip(trials, answers, strict=True):
        function = FUNCTIONS[trial.fn]
        shapes = [array.shape for array in trial.inputs]
        yield from form_findings(answer, trial.told, shapes, output_shape(function, trial.inputs))
        if "error" in answer:
            return
        truths = differences(function, trial.inputs, trial.eps, trial.eps)
        for position, (found, truth) in enumerate(zip(answer["jacobians"], truths, strict=True)):
            if not close(found, truth, EXACT):
                yield _explain(trial, position, found, truth)


def _explain(trial: _Trial, position: int, found: np.ndarray, truth: np.ndarray) -> Finding:
    name, given, eps = f"J[{position}]", trial.told, trial.eps
    function, inputs = FUNCTIONS[trial.fn], trial.inputs
    for side, ahead, behind in (("forward", 1, 0), ("backward", 0, 1)):
        if any(
            close(found, differences(function, inputs, step * ahead, step * behind)[position])
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
    if near(found, by_backward(function, inputs)[position], 1e-5, 1e-5):
        message = f"{name} does not depend on eps in the way that a central difference does, for {given}: "
        hint = "Do you change each entry by exactly eps?"
        return wrong(message + difference(found, truth), None, name, hint)
    finding = gradient_finding(f"For {given}, {name}", found, truth, name)
    if finding.mistake == "wrong-factor":
        return wrong(finding.message, "wrong-factor", name, TWICE)
    return finding


CHECKS = {"central differences": _central, "any shape": _any_shape, "several inputs": _several}
