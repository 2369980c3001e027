"""Judges analytical_jacobian: the rows against what backward gives, the passes against the output's size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch

from autograder.tasks.analytical_jacobian.probe import run
from autograder.tasks.findings import gradient_finding, raised, wrong
from autograder.tasks.functions import FUNCTIONS
from autograder.tasks.jacobians import by_backward, differences, form_findings, output_shape
from autograder.tasks.returned_jacobians import Jacobians
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.numbers import EXACT, close, near
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

# the name of fn, its inputs, and whether they are laid out by columns
Trial = tuple[str, Sequence[np.ndarray], bool]
ROW = "Row i is the gradient of output element i: which cotangent selects this element?"
ADDED_UP = (
    "Which entries of the cotangent are 1 in the second pass? And what does .backward() do if .grad "
    "already has a value?"
)
SUM = (
    "Row i is the gradient of output i: the cotangent is 1 there and 0 elsewhere. Rows that are taken from "
    ".grad are all the same tensor, unless you copy each of them."
)
COPY = "reshape and flatten copy what is not contiguous in memory. Into which tensor is the 1 written?"
UNUSED = "What does torch.autograd.grad return for an input that the output does not depend on?"


def _rows(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    draw = generator.standard_normal
    trials: list[Trial] = [
        ("x**4", [draw(3)], False),
        ("x**4", [np.array([0.0, 2.0, 2.0])], False),
        ("(x**3).T", [draw((2, 3))], False),
        ("(x**4).sum()", [draw((2, 3))], False),
        ("x**4", [np.asarray(draw())], False),
        ("x.T", [draw((3, 2))], False),
        ("x[1:]", [draw((3, 2))], False),
        ("x + 1, whose backward returns the cotangent itself", [draw(3)], False),
        ("x**4", [draw((2, 3))], True),
        ("x**3 + sin(100000 x) / 100000", [draw(3)], False),
    ]
    yield from _findings(probe, trials)


def _several(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    own: Trial = ("a**2, without b", [np.array([1.0, 2.0]), np.array([3.0, 4.0, 5.0])], False)
    cases: dict[str, tuple[tuple[int, ...], ...]] = {
        "(x @ w.T)**3": ((2, 3), (4, 3)),
        "a**3 * b**4": ((3,), (2, 3)),
        "a**3, without b": ((2,), (3,)),
        "exp(s) * x**3": ((), (3,)),
        "a * b**2 + c**3": ((3,), (3,), (2, 3)),
    }
    drawn = [[np.asarray(generator.standard_normal(s)) for s in shapes] for shapes in cases.values()]
    yield from _findings(
        probe, [own, *((fn, inputs, False) for fn, inputs in zip(cases, drawn, strict=True))]
    )


def _custom(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    """Ask for what backward returns, be it right or wrong."""
    draw = generator.standard_normal
    trials: list[Trial] = [
        ("a Function whose backward is wrong", [draw(3)], False),
        ("a Function that returns None for b", [draw(3), draw(3)], False),
    ]
    yield from _findings(probe, trials)


def _passes(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    inputs = [generator.standard_normal((2, 9)), generator.standard_normal((3, 9))]
    answer = probe.ask_one(run("(x @ w.T)**3", inputs))
    if "error" in answer:
        yield raised(answer["error"])
    # a pass an output element is enough for all inputs; one for each input is let through
    elif answer["passes"] > 6 * len(inputs):
        yield wrong(
            f"For an output of 6 elements you ran {answer['passes']} backward passes; 6 are enough.",
            hint="Does a loop run over the elements of an input? One backward pass gives a whole row.",
        )


def _findings(probe: ProbeClient, trials: Sequence[Trial]) -> Iterator[Finding]:
    fn, inputs, by_columns = trials[0]
    # nothing is left over from the calls in between, nor from one that differs in its values alone
    trials = [*trials, (fn, [array + 0.5 for array in inputs], by_columns), trials[0]]
    answers = probe.ask([run(*trial) for trial in trials])
    right = True
    for (fn, inputs, _), answer in zip(trials, answers, strict=True):
        # where it is the first that fails, and its output the first that is not contiguous
        scattered = right and len(inputs) == 1 and not _contiguous(fn, inputs)
        for finding in _judged(fn, inputs, answer):
            right = False
            yield _of_layout(finding) if scattered else finding


def _contiguous(fn: str, inputs: Sequence[np.ndarray]) -> bool:
    return FUNCTIONS[fn](*map(torch.tensor, inputs)).is_contiguous()


def _of_layout(finding: Finding) -> Finding:
    """Name rows that are zero: a 1 was written into a copy of the cotangent."""
    written_elsewhere = finding.mistake == "missing-gradient"
    return replace(finding, mistake="assumes-contiguous", hint=COPY) if written_elsewhere else finding


def _judged(fn: str, inputs: Sequence[np.ndarray], answer: Jacobians) -> Iterator[Finding]:
    shown = " and ".join(str(array.shape) for array in inputs)
    given = f"fn = {fn} at inputs of shape {shown}"
    if "error" in answer and Message.UNUSED_INPUT.find(answer["error"]["message"]):
        yield raised(answer["error"], given, UNUSED)
    yield from form_findings(
        answer, given, [array.shape for array in inputs], output_shape(FUNCTIONS[fn], inputs)
    )
    if "error" in answer:
        return
    truths = by_backward(FUNCTIONS[fn], inputs)
    for position, (found, truth) in enumerate(zip(answer["jacobians"], truths, strict=True)):
        if not close(found, truth, EXACT):
            numerical = differences(FUNCTIONS[fn], inputs, 1e-6, 1e-6)[position]
            yield _explain(f"J[{position}]", given, found, truth, numerical)


def _explain(name: str, given: str, found: np.ndarray, truth: np.ndarray, numerical: np.ndarray) -> Finding:
    subject = f"For {given}, {name}"
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
    return gradient_finding(subject, found, truth, name)


CHECKS = {
    "rows": _rows,
    "several inputs": _several,
    "custom Functions": _custom,
    "backward passes": _passes,
}
