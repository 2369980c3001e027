"""Judges FoolGradcheck: x*x everywhere, passed by gradcheck at the given points, and wrong somewhere else."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch.autograd.gradcheck import GradcheckError

from autograder.errors import StudentError
from autograder.function import known_errors
from autograder.function.probed import probed
from autograder.result import Finding
from autograder.tasks.findings import difference, wrong
from autograder.tasks.fool_gradcheck.points import POINTS
from autograder.tasks.fool_gradcheck.probe import Probe

RELATIVE = 1e-9
CLOSEST = 1e-12  # how near to a given point a wrong place is looked for


def places(generator: np.random.Generator, suspects: Sequence[float] = ()) -> Iterator[np.ndarray]:
    """Yield inputs of several shapes: a fine grid, all scales, small arrays, the given points again.

    `suspects` are numbers near which something may happen.
    """
    grid = np.concatenate([np.linspace(-20, 20, 8001), np.linspace(-1000, 1000, 4001)])
    scales = generator.standard_normal(2000) * 10.0 ** generator.uniform(-150, 150, 2000)
    powers = [*(2.0 ** np.arange(-60, 60)), *(10.0 ** np.arange(-20, 20))]
    special = [0.0, -0.0, math.pi, math.e, *np.arange(-1024.0, 1025.0), *powers, *np.negative(powers)]
    steps = np.outer([-1.0, 1.0], 10.0 ** np.linspace(np.log10(CLOSEST), 0, 60)).ravel()
    near = np.add.outer(np.array([*POINTS, *suspects, *np.negative(suspects)]), [0.0, *steps]).ravel()
    yield generator.standard_normal(3)
    yield np.concatenate([grid, grid + generator.uniform(0, 5e-3), scales, special, near])
    for shape in ((), (1,), (3,), (2, 5), (4, 2, 3)):
        for scale in (1.0, 10.0):
            yield np.asarray(scale * generator.standard_normal(shape))
    yield np.array(POINTS)
    yield np.array(POINTS[::-1])
    yield np.array([[*POINTS], [*POINTS]])
    yield from (np.array(point) for point in POINTS)


def _forward(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
    for x in places(generator):
        answer = probe.forward([x])
        if "error" in answer:
            yield known_errors.finding("", answer["error"])
            return
        if answer["changed"]:
            yield wrong("forward writes into x.", "mutates-input", "x")
        if len(answer["outputs"]) != 1 or answer["outputs"][0].shape != x.shape:
            shapes = " and ".join(str(output.shape) for output in answer["outputs"])
            yield wrong(f"For x of shape {x.shape} forward gives an output of {shapes}.", "forward-value")
            return
        found = answer["outputs"][0]
        apart = ~np.isclose(found, x * x, rtol=RELATIVE, atol=0)
        if apart.any():
            value, odd = x[apart].flat[0], found[apart].flat[0]
            message = f"forward gives {odd:.9g} at x = {value:.9g}; it must be x*x everywhere."
            yield wrong(message, "forward-value")


def _fooled(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
    points = np.array(POINTS)
    x = torch.tensor(points, requires_grad=True)
    try:
        torch.autograd.gradcheck(probed(probe, [points], [0], [True]), x)
    except (GradcheckError, RuntimeError) as error:
        yield wrong(
            f"gradcheck is not fooled at x = {POINTS}: {_told(probe, points, error)}", hint=_AT_POINTS
        )


_AT_POINTS = "At which values of x, exactly, does gradcheck call backward? There it must be right."


def _told(probe: Probe, points: np.ndarray, error: Exception) -> str:
    for unit in np.eye(points.size):
        answer = probe.vjp([points], [True], [unit])
        gradient = answer["gradients"][0]
        if (
            "error" not in answer
            and gradient is not None
            and not np.allclose(gradient, 2 * points * unit, 1e-3)
        ):
            return f"for the cotangent {unit.tolist()} {difference(gradient, 2 * points * unit)}"
    return " ".join(str(error).split())[:300]


def _wrong_elsewhere(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
    """Look for a first derivative that is wrong: one is enough."""
    errors: list[StudentError] = []
    for x in places(generator, probe.constants()):
        if any(_is_wrong(probe, x, cotangent, errors) for cotangent in _cotangents(x, generator)):
            return
        if x.shape == (3,) and _is_wrong_in_another_way(probe, x):
            return
    message = "No wrong derivative was found: not at 28,000 values of x, nor for cotangents of any kind."
    if errors:
        message = f"backward raises {errors[0]['type']} in some places, and is wrong in none that was found."
    yield wrong(
        message, hint="gradcheck sees backward at a handful of values; what does it do at all the others?"
    )


def _cotangents(x: np.ndarray, generator: np.random.Generator) -> Iterator[np.ndarray]:
    yield np.asarray(generator.standard_normal(x.shape))
    yield np.asarray(1e6 * generator.standard_normal(x.shape))
    if x.size < 1000:
        yield np.ones_like(x)
        yield np.eye(1, x.size).reshape(x.shape)


def _is_wrong(probe: Probe, x: np.ndarray, cotangent: np.ndarray, errors: list[StudentError]) -> bool:
    answer = probe.vjp([x], [True], [cotangent])
    if "error" in answer:
        errors.append(answer["error"])
        return False
    return _differs(answer["gradients"][0], 2 * x * cotangent, RELATIVE)


def _is_wrong_in_another_way(probe: Probe, x: np.ndarray) -> bool:
    """Return whether a gradient is wrong that gradcheck never asks for, in a way of use that is usual."""
    ones = np.ones_like(x)
    single = probe.vjp([x.astype(np.float32)], [True], [ones.astype(np.float32)])
    if "error" not in single and _differs(single["gradients"][0], 2 * x, 1e-4):
        return True
    later = probe.interleaved([x], [[x + 1]], [ones])
    found = [] if "error" in later else [later["first"][0], later["second"][0]]
    found += probe.ways(x)["gradients"]
    return any(_differs(gradient, 2 * x, RELATIVE) for gradient in found)


def _differs(found: np.ndarray | None, truth: np.ndarray, relative: float) -> bool:
    """Return whether a gradient is wrong somewhere; None stands for zeros."""
    gradient = np.zeros_like(truth) if found is None else found
    return gradient.shape != truth.shape or not np.allclose(gradient, truth, rtol=relative, atol=0)


CHECKS = {"forward": _forward, "gradcheck is fooled": _fooled, "wrong elsewhere": _wrong_elsewhere}
