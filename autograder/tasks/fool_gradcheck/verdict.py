"""Judges FoolGradcheck: x*x everywhere, accepted by gradcheck at POINTS, and wrong at another input."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from autograder.tasks.findings import disturbed, gradient_finding, raised, wrong
from autograder.tasks.fool_gradcheck.points import POINTS
from autograder.tasks.fool_gradcheck.probe import Probe, ways
from vjpcheck.ask import requests
from vjpcheck.ask.answers import Interleaved, Pullback
from vjpcheck.ask.protocol import ProbeClient, Request, request
from vjpcheck.errors import StudentError, tell
from vjpcheck.gradcheck import Check, Table
from vjpcheck.naming import from_error
from vjpcheck.numbers import apart, close, near
from vjpcheck.probe.callers_world import GENERATOR
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

RELATIVE = 1e-12
SINGLE = 1e-5
SMALL = (1e-8, 1e-30)  # of cotangents
CLOSEST = 1e-12  # the smallest distance of a tried input from one of POINTS


def places(generator: np.random.Generator, suspects: Sequence[float] = ()) -> Iterator[np.ndarray]:
    """Yield inputs of several shapes: a fine grid, all scales, small arrays, and POINTS again.

    `suspects` are numbers near which the gradient may be wrong.
    """
    grid = np.concatenate([np.linspace(-20, 20, 8001), np.linspace(-1000, 1000, 4001)])
    scales = generator.standard_normal(2000) * 10.0 ** generator.uniform(-150, 150, 2000)
    powers = [*(2.0 ** np.arange(-60, 60)), *(10.0 ** np.arange(-20, 20))]
    special = [0.0, -0.0, math.pi, math.e, *np.arange(-1024.0, 1025.0), *powers, *np.negative(powers)]
    steps = np.outer([-1.0, 1.0], 10.0 ** np.linspace(np.log10(CLOSEST), 0, 60)).ravel()
    near = np.add.outer(np.array([*POINTS, *suspects, *np.negative(suspects)]), [0.0, *steps]).ravel()
    yield generator.standard_normal(3)
    yield np.concatenate([grid, grid + generator.uniform(0, 5e-3), scales, special, near])
    for shape in ((), (1,), (2,), (3,), (4,), (2, 5), (4, 2, 3), (2, 1, 3, 2)):
        for scale in (0.01, 1.0, 10.0, 300.0):
            drawn = scale * generator.standard_normal(shape)
            yield np.asarray(drawn)
            yield np.asarray(abs(drawn) + scale)  # a condition may hold for all entries
            yield np.asarray(-abs(drawn) - scale)
    yield np.array(POINTS)
    yield np.array(POINTS[::-1])
    yield np.array([[*POINTS], [*POINTS]])
    yield from (np.array(point) for point in POINTS)


def _forward(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    inputs = [*places(generator)]
    for x, answer in zip(inputs, probe.ask([requests.forward([x]) for x in inputs]), strict=True):
        if "error" in answer:
            yield from_error.finding("", answer["error"])
            return
        if answer["changed"]:
            yield wrong("forward modifies x.", "mutates-input", "x")
        if len(answer["outputs"]) != 1 or answer["outputs"][0].shape != x.shape:
            shapes = " and ".join(str(output.shape) for output in answer["outputs"])
            yield wrong(f"For x of shape {x.shape} forward gives an output of {shapes}.", "forward-value")
            return
        output = answer["outputs"][0]
        wide = apart(output, x * x, RELATIVE, 0)
        if wide.any():
            value, odd = x[wide].flat[0], output[wide].flat[0]
            message = f"forward gives {odd:.9g} at x = {value:.9g}; it must be x*x everywhere."
            yield wrong(message, "forward-value")
    yield from _single_precision(probe)


def _single_precision(probe: ProbeClient) -> Iterator[Finding]:
    x = np.array([*POINTS, -2.0, 0.0, 0.375, -40.0, 300.0], dtype=np.float32)
    answer = probe.ask_one(requests.forward([x]))
    if "error" in answer:
        yield from_error.finding("", answer["error"])
    elif answer["dtypes"] != ["float32"]:
        yield wrong(f"A float32 input gives an output of dtype {answer['dtypes'][0]}.", "wrong-dtype", "x")
    elif (wide := apart(answer["outputs"][0], x * x, SINGLE, 0)).any():
        message = f"For float32, forward gives {answer['outputs'][0][wide][0]:.6g} at x = {x[wide][0]:g}"
        yield wrong(f"{message}; it must be x*x everywhere.", "forward-value")


def _fooled(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    points = np.array(POINTS)
    table = Table(probe.ask_one, [points], [points * points], [True], Check("torch", "gradcheck", fast=False))
    # the table, as one answer about the whole can be forged; gradcheck itself, as it calls more than once
    own, *evaluations = probe.ask([request(Probe.gradchecked, points), *table.questions])
    refusal = table.refusal(evaluations)
    if refusal is not None:
        finding = _at_points(probe, points) or Finding("", refusal.message)
        yield replace(finding, message=f"gradcheck fails at x = {POINTS}: {finding.message}", hint=_AT_POINTS)
    elif "error" in own:
        changed = Message.SAVED_AND_OVERWRITTEN.find(own["error"]["message"])
        yield raised(own["error"]) if not changed else wrong(tell(own["error"]), "mutates-saved-tensor", "x")
    elif own["refusal"]:
        mistake = "not-reproducible" if Message.GRADCHECK_NOT_REENTRANT.find(own["refusal"]) else None
        message = f"gradcheck fails at x = {POINTS}: {own['refusal'].splitlines()[0]}"
        yield wrong(message, mistake, "x", _TWICE if mistake else _AT_POINTS)


_TWICE = "gradcheck calls backward twice for each cotangent and expects the same numbers, bit by bit."
_AT_POINTS = "At which exact values of x does gradcheck call backward? There it must be right."


def _at_points(probe: ProbeClient, points: np.ndarray) -> Finding | None:
    """Return the finding for a wrong Jacobian at the points; None if a finite difference agrees with it."""
    answers = probe.ask([requests.vjp([points], [True], [unit]) for unit in np.eye(points.size)])
    rows = []
    for answer in answers:
        if "error" in answer:
            return from_error.finding("", answer["error"])
        gradient = answer["gradients"][0]
        rows.append(np.zeros_like(points) if gradient is None else gradient)
    jacobian, truth = np.stack(rows), np.diag(2 * points)
    if near(jacobian, truth, 1e-3, 1e-8):
        return None
    if close(jacobian, jacobian[:1] + np.zeros_like(truth)) and jacobian.any():
        message = f"the gradient is {jacobian[0].tolist()} for every cotangent"
        return wrong(message, "missing-grad-output", "x")
    return gradient_finding("the Jacobian", jacobian, truth, "x")


def _wrong_elsewhere(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    """Look for a wrong first derivative: one is enough."""
    errors: list[StudentError] = []
    suspects = probe.call(Probe.constants)
    looks = [
        look
        for x in places(generator, suspects)
        for look in [*_pullbacks(x, generator), *(_unusual_uses(x) if x.shape == (3,) else [])]
    ]
    ones = np.ones(3)
    looks += [_pulled(ones, sign * 10 * abs(size) * ones) for size in suspects for sign in (1, -1)]
    looks += [_pulled(ones, 0.1 * abs(size) * ones, 10 / abs(size)) for size in suspects if size]
    answers = probe.ask([look.question for look in looks])
    if any(answer.get("cotangents_changed") for answer in answers):
        yield wrong("backward modifies the cotangent that it receives.", "mutates-grad-output")
        return
    if any(answer.get("inputs_changed") for answer in answers):
        yield wrong("backward modifies a saved tensor, which is x itself.", "mutates-saved-tensor", "x")
        return
    changes = chain.from_iterable(answer.get("disturbed", {}).items() for answer in answers)
    # drawing from torch's generator is a legitimate way to be wrong
    if findings := [*disturbed({place: how for place, how in changes if place != GENERATOR}, "backward")]:
        yield from findings
        return
    for look, answer in zip(looks, answers, strict=True):
        if "error" in answer:
            errors += [answer["error"]] if look.errors_count else []
        if any(_differs(gradient, look.truth, look.relative) for gradient in look.gradients(answer)):
            return
    message = "No wrong derivative was found at 28,000 values of x with many kinds of cotangents."
    if errors:
        message = f"backward raises {errors[0]['type']} in some places, but no wrong value was found."
    yield wrong(
        message,
        hint="gradcheck calls backward at a few values only. What should backward do at all other values?",
    )


@dataclass(frozen=True)
class _Look:
    """One call in which backward may be wrong; with `errors_count` its exceptions are reported."""

    question: Request[Any]
    gradients: Callable[[Any], Sequence[np.ndarray | None]]
    truth: np.ndarray
    relative: float = RELATIVE
    errors_count: bool = False


def _pullbacks(x: np.ndarray, generator: np.random.Generator) -> Iterator[_Look]:
    for cotangent in _cotangents(x, generator):
        yield _pulled(x, cotangent)
    if x.shape == (3,):
        for size in SMALL:
            yield _pulled(x, size * generator.standard_normal(x.shape), 1 / size)


def _pulled(x: np.ndarray, cotangent: np.ndarray, times: float = 1.0) -> _Look:
    """Return the look at a gradient times a factor, so that the comparison does not lose small ones."""

    def read(answer: Pullback) -> list[np.ndarray | None]:
        return [gradient if gradient is None else times * gradient for gradient in _if_right(answer)]

    return _Look(requests.vjp([x], [True], [cotangent]), read, 2 * x * cotangent * times, errors_count=True)


def _unusual_uses(x: np.ndarray) -> Iterator[_Look]:
    """Yield usual ways of use that gradcheck never tries."""
    ones = np.ones_like(x)
    single = requests.vjp([x.astype(np.float32)], [True], [ones.astype(np.float32)])
    yield _Look(single, _if_right, 2 * x, 1e-4)
    later = request(Probe.interleaved, [x], [[x + 1]], [ones])
    yield _Look(later, _of_both, 2 * x)
    yield _Look(ways(x), lambda answer: answer["gradients"], 2 * x)


def _of_both(answer: Interleaved) -> Sequence[np.ndarray | None]:
    return [] if "error" in answer else [*answer["first"], *answer["second"]]


def _if_right(answer: Pullback) -> Sequence[np.ndarray | None]:
    return [] if "error" in answer else answer["gradients"]


def _cotangents(x: np.ndarray, generator: np.random.Generator) -> Iterator[np.ndarray]:
    yield np.asarray(generator.standard_normal(x.shape))
    yield np.asarray(1e6 * generator.standard_normal(x.shape))
    if x.size < 1000:
        yield np.ones_like(x)
        yield np.eye(1, x.size).reshape(x.shape)


def _differs(observed: np.ndarray | None, truth: np.ndarray, relative: float) -> bool:
    """Return whether a gradient is wrong somewhere; None stands for zeros."""
    gradient = np.zeros_like(truth) if observed is None else observed
    return not near(gradient, truth, relative)


CHECKS = {"forward": _forward, "gradcheck is fooled": _fooled, "wrong elsewhere": _wrong_elsewhere}
