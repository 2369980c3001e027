"""Judges numerical_jacobian: with a step as large as 0.1 every formula gives numbers of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from autograder.function.numbers import close
from autograder.result import Finding
from autograder.tasks.findings import difference, gradient_finding, wrong
from autograder.tasks.functions import FUNCTIONS
from autograder.tasks.jacobians import by_backward, differences, form_findings, output_shape
from autograder.tasks.numerical_jacobian.probe import Probe

STEPS = (0.1, 0.01)
TWICE = "Which distance lies between the two points at which fn is called?"
BOTH = "On which two sides of each entry is fn called?"


def _central(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
    for eps in STEPS:
        yield from _findings(probe, "x**4", [_draw(generator, 3)], eps)


def _any_shape(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
    for fn, shape in (("(x**4).sum()", (2, 3)), ("x**4", ()), ("(x**3).T", (2, 3)), ("x**4", (2, 1, 3))):
        yield from _findings(probe, fn, [_draw(generator, *shape)], 0.1, requires_grad=True)


def _several(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
    cases = (("a**3 * b**4", (3,), (2, 3)), ("(x @ w.T)**3", (2, 3), (4, 3)), ("exp(s) * x**3", (), (3,)))
    for fn, *shapes in cases:
        yield from _findings(probe, fn, [_draw(generator, *shape) for shape in shapes], 0.1)
    yield from _findings(probe, "a**3, without b", [_draw(generator, 2), _draw(generator, 3)], 0.1)


def _draw(generator: np.random.Generator, *shape: int) -> np.ndarray:
    drawn = generator.uniform(0.5, 1.5, shape) * generator.choice([-1.0, 1.0], shape)
    return np.asarray(drawn)


def _findings(
    probe: Probe,
    fn: str,
    inputs: Sequence[np.ndarray],
    eps: float,
    requires_grad: bool = False,
) -> Iterator[Finding]:
    answer = probe.run(fn, inputs, eps, requires_grad)
    truths = differences(FUNCTIONS[fn], inputs, eps, eps)
    output = output_shape(FUNCTIONS[fn], inputs)
    shown = " and ".join(str(array.shape) for array in inputs)
    given = f"fn = {fn} at inputs of shape {shown}, eps = {eps:g}"
    yield from form_findings(answer, given, [array.shape for array in inputs], output)
    if "error" in answer:
        return
    for position, (found, truth) in enumerate(zip(answer["jacobians"], truths, strict=True)):
        if not close(found, truth):
            yield _explain(fn, inputs, eps, position, found, truth, given)


def _explain(
    fn: str,
    inputs: Sequence[np.ndarray],
    eps: float,
    position: int,
    found: np.ndarray,
    truth: np.ndarray,
    given: str,
) -> Finding:
    name = f"J[{position}]"
    function = FUNCTIONS[fn]
    for side, ahead, behind in (("forward", eps, 0.0), ("backward", 0.0, eps)):
        if close(found, differences(function, inputs, ahead, behind)[position]):
            return wrong(
                f"{name} is a one-sided ({side}) difference for {given}: {difference(found, truth)}",
                None,
                name,
                BOTH,
            )
    if not found.any():
        hint = "Does fn see the entry that was moved, and is its answer still the same after the next move?"
        return wrong(f"{name} is zero everywhere for {given}.", None, name, hint)
    if np.allclose(found, by_backward(function, inputs)[position], rtol=1e-5, atol=1e-5):
        message = f"{name} does not depend on eps as a central difference does, for {given}: "
        hint = "Is eps the step that fn's arguments are moved by?"
        return wrong(message + difference(found, truth), None, name, hint)
    finding = gradient_finding(f"For {given}, {name}", found, truth, name)
    if finding.mistake == "wrong-factor":
        return wrong(finding.message, "wrong-factor", name, TWICE)
    return finding


CHECKS = {"central differences": _central, "any shape": _any_shape, "several inputs": _several}
