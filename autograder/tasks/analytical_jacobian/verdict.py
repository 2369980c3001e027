"""Judges analytical_jacobian: compares its rows with backward's, and the passes with the output's size."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from autograder.tasks.analytical_jacobian.probe import Probe
from autograder.tasks.battery import Candidate, Trial, Values
from autograder.tasks.findings import raised, wrong
from autograder.tasks.functions import function_of
from autograder.tasks.inputs import drawn
from autograder.tasks.jacobians import (
    ANY_SHAPE,
    FUNCTIONS,
    RETURNS_ITS_COTANGENT,
    SEVERAL,
    STEEP,
    Cases,
    battery,
    by_backward,
    differences,
    trial,
    trials,
)
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.result import Finding

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
    example = trial("a**2, without b", [np.array([1.0, 2.0]), np.array([3.0, 4.0, 5.0])])
    yield from _findings(probe, [example, *trials(generator, SEVERAL)])


def _custom(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    """Require the values that backward returns, right or wrong."""
    custom: Cases = [
        ("a Function whose backward is wrong", (3,)),
        ("a Function that returns None for b", (3,), (3,)),
    ]
    yield from _findings(probe, trials(generator, custom))


def _passes(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    inputs = drawn(generator, (2, 9), (3, 9))
    answer = probe.call(Probe.run, FUNCTIONS["(x @ w.T)**3"], inputs, False)
    if "error" in answer:
        yield raised(answer["error"])
    # one pass per output element is enough for all inputs; one per input and element is allowed
    elif answer["facts"]["passes"] > 6 * len(inputs):
        yield wrong(
            f"For an output of 6 elements, {answer['facts']['passes']:g} backward passes run; 6 are enough.",
            hint="Does a loop run over the elements of an input? One backward pass gives a whole row.",
        )


def _findings(probe: ProbeClient, tried: Sequence[Trial]) -> Iterator[Finding]:
    return battery(probe, Probe.run, tried, CANDIDATES, by_backward)


def _sums(trial: Trial, _: Values) -> Values:
    return {name: np.broadcast_to(truth.sum(axis=0), truth.shape) for name, truth in trial.truths.items()}


def _diagonals(trial: Trial, observed: Values) -> Values:
    """Return the diagonals of the observed values; the truths if all true values are diagonal."""
    diagonals = {name: np.eye(*truth.shape) for name, truth in trial.truths.items()}
    if not any(
        observed[name].any() and (trial.truths[name] * (1 - one)).any() for name, one in diagonals.items()
    ):
        return trial.truths
    return {name: observed[name] * one for name, one in diagonals.items()}


def _running_sums(trial: Trial, _: Values) -> Values:
    return {name: truth.cumsum(axis=0) for name, truth in trial.truths.items()}


def _zero_in_copies(trial: Trial, _: Values) -> Values:
    """Return zeros if a reshaped cotangent is a copy, so that the 1 is written into the copy."""
    formulas, inputs, _by_columns = trial.arguments
    times = float(function_of(*formulas)(*map(torch.tensor, inputs)).is_contiguous())
    return {name: truth * times for name, truth in trial.truths.items()}


CANDIDATES = [
    Candidate(
        "not-precise",
        "comes from finite differences, not from backward",
        lambda trial, _: differences(trial, 1e-6, 1e-6),
        "Only a backward pass shows what backward returns.",
        within=1e-3,
    ),
    Candidate(None, "has in every row the gradient of the sum of the output", _sums, SUM),
    Candidate("diagonal-only", "is zero off its diagonal, and should not be", _diagonals),
    Candidate("cotangent-summed", "has in each row the sum of all rows up to it", _running_sums, ADDED_UP),
    Candidate("assumes-contiguous", "is zero where the output is not contiguous", _zero_in_copies, COPY),
]
CHECKS = {
    "rows": _rows,
    "several inputs": _several,
    "custom Functions": _custom,
    "backward passes": _passes,
}
