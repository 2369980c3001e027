"""Judges unbroadcast: a sum over exactly the axes that broadcasting made or stretched."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

import numpy as np

from autograder.tasks.findings import difference, disturbed, few_digits, overwritten, wrong
from autograder.tasks.inputs import drawn
from autograder.tasks.unbroadcast.probe import Summed, run
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.domain import Shape
from vjpcheck.errors import StudentError, tell
from vjpcheck.numbers import EXACT, close
from vjpcheck.result import Finding

# (the gradient's shape, the shape asked for); where sizes are alike, they do not tell which axis is which
ALIKE: list[tuple[Shape, Shape]] = [((3, 3), (3,)), ((3, 2, 3), (2, 3)), ((2, 2, 2), (2,))]
# where an axis that broadcasting made has one entry
OF_ONE: list[tuple[Shape, Shape]] = [((1, 2, 3), (1, 3)), ((1, 3, 2), (3, 1))]
SHAPES: dict[str, list[tuple[Shape, Shape]]] = {
    "scalars": [((), ()), ((3,), ()), ((2, 3), ())],
    "leading axes": [((2, 3), (3,)), ((4, 2, 3), (3,)), ((4, 2, 3), (2, 3)), *ALIKE, ((2, 3), (2, 3))],
    "size-1 axes": [
        ((2, 3), (2, 1)),
        ((2, 3), (1, 3)),
        ((2, 3), (1, 1)),
        ((4, 2, 3), (4, 1, 3)),
        ((1, 3), (1, 1)),
        ((3, 3), (3, 1)),
        ((3, 3), (1, 3)),
    ],
    # these first, so that a mistake has one name whatever is drawn after them
    "both": [((4, 2, 3), (2, 1)), ((4, 2, 3), (1, 3)), ((4, 2, 3), (1, 1)), ((4, 2, 3), (1,)), *OF_ONE],
}
# the small case of the exercise's text, and the shapes that it is summed to
OF_THE_TEXT = np.arange(1.0, 7.0).reshape(2, 3)
OWN: dict[str, list[Shape]] = {
    "scalars": [()],
    "leading axes": [(3,), (2, 3)],
    "size-1 axes": [(1, 3), (2, 1)],
}
RANDOM = {"both": 30}


def _on(check: str) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        pairs = [*SHAPES[check], *(_drawn(generator) for _ in range(RANDOM.get(check, 0)))]
        trials: list[Any] = [(OF_THE_TEXT, shape, False) for shape in OWN.get(check, ())]
        trials += [
            (*drawn(generator, wide, planted=planted), shape, False)
            for planted in (False, True)
            for wide, shape in pairs
        ]
        gradient, shape, _ = trials[-len(pairs) - 1]
        first, first_shape, _ = trials[0]
        # laid out by columns; the first again, with other values and with its own: nothing is left over
        trials += [(gradient, shape, True), (first + 0.5, first_shape, False), trials[0]]
        answers = probe.ask([run(*trial) for trial in trials])
        last_copies = all(
            _equal_but_for_ones(answer["value"], _copy(gradient, repeated(gradient.shape, shape), -1))
            for (gradient, shape, _), answer in zip(trials, answers, strict=True)
            if "error" not in answer
        )
        for (gradient, shape, _), answer in zip(trials, answers, strict=True):
            yield from _findings(gradient, shape, answer, last_copies)
        for (gradient, shape, _), answer in zip(trials, answers, strict=True):
            given = f"a gradient of shape {gradient.shape} and the shape {shape}"
            yield from overwritten(answer["overwrites"], given)

    return findings


def _drawn(generator: np.random.Generator) -> tuple[Shape, Shape]:
    """Return a shape of up to four axes, and one that broadcasting takes to it."""
    alike = generator.random() < 0.3
    sizes = generator.integers(1, 4, 4) if alike else generator.permutation([1, 2, 3, 4, 5])
    wide = tuple(int(n) for n in sizes[: generator.integers(1, 5)])
    kept = wide[generator.integers(0, len(wide) + 1) :]
    return wide, tuple(1 if generator.random() < 0.5 else n for n in kept)


def repeated(wide: Shape, shape: Shape) -> tuple[int, ...]:
    """Return the axes of the wide shape that broadcasting made or stretched."""
    made = len(wide) - len(shape)
    return (*range(made), *(made + i for i, n in enumerate(shape) if n == 1 and wide[made + i] != 1))


def _findings(gradient: np.ndarray, shape: Shape, answer: Summed, last_copies: bool) -> Iterator[Finding]:
    axes = repeated(gradient.shape, shape)
    truth = gradient.sum(axis=axes).reshape(shape)
    where = f"For a gradient of shape {gradient.shape} and the shape {shape}"
    if "error" in answer:
        yield wrong(tell(answer["error"], f"{where}: "), _reshaped(gradient.shape, axes, answer["error"]))
        return
    for finding in disturbed(answer["changes"], where.removeprefix("For ")):
        yield replace(finding, mistake=finding.mistake and "mutates-grad-output")
    mistake, problem = _problem(gradient, answer["value"], truth, axes, last_copies)
    if problem:
        yield wrong(f"{where}, {problem}", mistake)


def _problem(
    gradient: np.ndarray, found: np.ndarray, truth: np.ndarray, axes: tuple[int, ...], last_copies: bool
) -> tuple[str | None, str]:
    """Return the mistake's name, if it has one, and what is wrong; nothing if the sum is right.

    `last_copies` says that all results are the gradient of the last copy.
    """
    if found.shape == truth.shape and close(found, truth, EXACT):
        return None, ""
    shape = f"the result has shape {found.shape}"
    if found.size == truth.size and found.shape != truth.shape and close(found.reshape(truth.shape), truth):
        mistake = "lost-keepdim" if found.ndim < truth.ndim else "reshaped-gradient"
        return mistake, f"{shape}, although its numbers are right."
    if found.size > truth.size and _repeats(found, truth):
        return "gradient-too-large", f"{shape}: the sum is repeated along an axis again."
    if few := found.shape == truth.shape and few_digits("the result", found, truth):
        return few
    if axes and _equal_but_for_ones(found, gradient.mean(axis=axes)):
        return "mean-instead-of-sum", "the result is the mean over the repeated axes."
    if axes and last_copies:
        return "overwrites-instead-of-accumulates", "only the last copy counts; the gradients must be added."
    if axes and any(_equal_but_for_ones(found, _copy(gradient, axes, at)) for at in (0, -1)):
        return (
            "outputs-left-out",
            "the result is one of the copies; the others' gradients are not added.",
        )
    for chosen in _choices(gradient.ndim):
        if not _equal_but_for_ones(found, gradient.sum(axis=chosen)):
            continue
        if set(chosen) < set(axes):
            left = ", ".join(str(axis) for axis in axes if axis not in chosen and gradient.shape[axis] > 1)
            return "missing-unbroadcast", f"{shape}: axis {left} of the gradient is not summed."
        extra = ", ".join(str(axis) for axis in chosen if axis not in axes)
        return "wrong-sum-axis", f"{shape}: axis {extra} is summed, but broadcasting did not repeat it."
    if found.shape != truth.shape:
        return None, f"{shape}."
    if truth.size and close(found, gradient.reshape(-1, *truth.shape).sum(axis=0), EXACT):
        return (
            "wrong-sum-axis",
            f"the copies are summed as if they lay one after the other: {difference(found, truth)}",
        )
    return None, difference(found, truth)


def _reshaped(wide: Shape, axes: tuple[int, ...], error: StudentError) -> str | None:
    """Return the mistake by which a sum over some axes has too many or too few numbers for the shape.

    An axis that is not there any more has been summed before, and was not kept.
    """
    if re.search(r"axis \d+ is out of bounds for array of dimension", error["message"]):
        return "lost-keepdim"
    size = re.search(r"cannot reshape array of size (\d+) into shape", error["message"])
    if size is None:
        return None
    left = [
        set(chosen)
        for chosen in _choices(len(wide))
        if math.prod(n for axis, n in enumerate(wide) if axis not in chosen) == int(size[1])
    ]
    if any(chosen < set(axes) for chosen in left):
        return "missing-unbroadcast"
    return "wrong-sum-axis" if left else None


def _copy(gradient: np.ndarray, axes: tuple[int, ...], at: int) -> np.ndarray:
    """Return the gradient of the first copy, or of the last, along the repeated axes."""
    return gradient[tuple(at if axis in axes else slice(None) for axis in range(gradient.ndim))]


def _repeats(found: np.ndarray, truth: np.ndarray) -> bool:
    """Return whether broadcasting the truth gives what was found."""
    try:
        return close(found, np.broadcast_to(truth, found.shape))
    except ValueError:  # the shapes do not fit
        return False


def _equal_but_for_ones(found: np.ndarray, other: np.ndarray) -> bool:
    same = [n for n in found.shape if n != 1] == [n for n in other.shape if n != 1]
    return same and close(found.ravel(), np.ravel(other))


def _choices(count: int) -> Iterator[tuple[int, ...]]:
    axes = range(count)
    return chain.from_iterable(combinations(axes, chosen) for chosen in range(count + 1))


CHECKS = {check: _on(check) for check in SHAPES}
