"""Judges analytical_jacobian: the rows against what backward gives, the passes against the output's size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from autograder.tasks import jacobians
from autograder.tasks.analytical_jacobian.probe import run
from autograder.tasks.findings import gradient_finding, raised, wrong
from autograder.tasks.inputs import drawn
from autograder.tasks.jacobians import ANY_SHAPE, SEVERAL, Cases, Trial, by_backward, differences, trials
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.numbers import close, near
from vjpcheck.result import Finding

RETURNS_ITS_COTANGENT = "x + 1, whose backward returns the cotangent itself"
STEEP = "x**3 + sin(100000 x) / 100000"
ADDED_UP = (
    "Which entries of the cotangent are 1 in the second pass? And what does .backward() do if .grad "
    "already has a value?"
)
SUM = (
    "Row i is the gradient of output i: the cotangent is 1 there and 0 elsewhere. Rows that are taken from "
    ".grad are all the same tensor, unless you copy each of them."
)
COPY = "reshape and flatten copy what is not contiguous in memory. Into which tensor is the 1 written?"


def _rows(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    vectors = [(name, (3,)) for name in ("x**4", RETURNS_ITS_COTANGENT, STEEP)]
    by_columns = trials(generator, [("x**4", (2, 3))], by_columns=True)
    yield from _findings(probe, [*trials(generator, [*vectors, *ANY_SHAPE]), *by_columns])


def _several(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    own = Trial("a**2, without b", [np.array([1.0, 2.0]), np.array([3.0, 4.0, 5.0])])
    yield from _findings(probe, [own, *trials(generator, SEVERAL)])


def _custom(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    """Ask for what backward returns, be it right or wrong."""
    custom: Cases = [
        ("a Function whose backward is wrong", (3,)),
        ("a Function that returns None for b", (3,), (3,)),
    ]
    yield from _findings(probe, trials(generator, custom))


def _passes(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    inputs = drawn(generator, (2, 9), (3, 9))
    answer = probe.ask_one(run("(x @ w.T)**3", inputs))
    if "error" in answer:
        yield raised(answer["error"])
    # a pass an output element is enough for all inputs; one for each input is let through
    elif answer["passes"] > 6 * len(inputs):
        yield wrong(
            f"For an output of 6 elements you ran {answer['passes']} backward passes; 6 are enough.",
            hint="Does a loop run over the elements of an input? One backward pass gives a whole row.",
        )


def _findings(probe: ProbeClient, tried: Sequence[Trial]) -> Iterator[Finding]:
    return jacobians.findings(probe, run, tried, lambda trial: by_backward(trial.fn, trial.inputs), _explain)


def _explain(trial: Trial, position: int, found: np.ndarray, truth: np.ndarray) -> Finding:
    name, subject = f"J[{position}]", f"For {trial.given}, J[{position}]"
    numerical = differences(trial.fn, trial.inputs, 1e-6, 1e-6)[position]
    if not near(truth, numerical, 1e-3, 1e-8) and near(found, numerical, 1e-3, 1e-4):
        hint = "Only a backward pass shows what backward returns."
        return wrong(
            f"{subject} comes from finite differences, not from backward.", "not-precise", name, hint
        )
    if len(truth) > 1 and close(found, np.broadcast_to(truth.sum(axis=0), truth.shape)):
        return wrong(f"Every row of {name} is the gradient of the sum of the output.", None, name, SUM)
    beside = 1 - np.eye(*truth.shape)
    if found.any() and not (found * beside).any() and (truth * beside).any():
        return wrong(f"{subject} is zero off its diagonal, and should not be.", "diagonal-only", name)
    if len(truth) > 1 and close(found, truth.cumsum(axis=0)):
        message = f"Each row of {name} is the sum of all rows up to it."
        return wrong(message, "cotangent-summed", name, ADDED_UP)
    finding = gradient_finding(subject, found, truth, name)
    if finding.mistake == "missing-gradient" and len(trial.inputs) == 1 and not trial.output.is_contiguous():
        return replace(finding, mistake="assumes-contiguous", hint=COPY)  # the 1 was written into a copy
    return finding


CHECKS = {
    "rows": _rows,
    "several inputs": _several,
    "custom Functions": _custom,
    "backward passes": _passes,
}
