"""Judges unbroadcast: a sum over exactly the axes that broadcasting made or stretched."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np

from autograder.tasks.battery import BY_COLUMNS, Battery, Candidate, Trial, Values
from autograder.tasks.inputs import drawn
from autograder.tasks.unbroadcast.probe import Probe
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.domain import Shape
from vjpcheck.errors import StudentError
from vjpcheck.numbers import close
from vjpcheck.result import Finding

# (the gradient's shape, the requested shape); equal sizes do not show which axis is which
ALIKE: list[tuple[Shape, Shape]] = [((3, 3), (3,)), ((3, 2, 3), (2, 3)), ((2, 2, 2), (2,))]
# an axis that broadcasting made has one entry
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
    # these come first, so that a mistake has the same name whatever is drawn after them
    "both": [((4, 2, 3), (2, 1)), ((4, 2, 3), (1, 3)), ((4, 2, 3), (1, 1)), ((4, 2, 3), (1,)), *OF_ONE],
}
# the small case of the exercise's text, and the shapes to which it is summed
OF_THE_TEXT = np.arange(1.0, 7.0).reshape(2, 3)
EXAMPLES: dict[str, list[Shape]] = {
    "scalars": [()],
    "leading axes": [(3,), (2, 3)],
    "size-1 axes": [(1, 3), (2, 1)],
}
RANDOM = {"both": 30}
RESULT = "the result"


def _sum(gradient: np.ndarray, shape: Shape, by_columns: bool = False) -> Trial:
    truth = gradient.sum(axis=repeated(gradient.shape, shape)).reshape(shape)
    words = f"a gradient of shape {gradient.shape} and the shape {shape}"
    condition = BY_COLUMNS if by_columns else None
    return Trial((gradient, shape, by_columns), words, {RESULT: truth}, condition)


def _on(check: str) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        pairs = [*SHAPES[check], *(_drawn(generator) for _ in range(RANDOM.get(check, 0)))]
        calls: list[Any] = [(OF_THE_TEXT, shape) for shape in EXAMPLES.get(check, ())]
        calls += [
            (*drawn(generator, wide, planted=planted), shape)
            for planted in (False, True)
            for wide, shape in pairs
        ]
        gradient, shape = calls[-len(pairs) - 1]
        first, first_shape = calls[0]
        # one laid out by columns; the first again with other values, against values kept from the first call
        calls += [(gradient, shape, True), (first + 0.5, first_shape)]
        trials = [_sum(*call) for call in calls]
        for finding in Battery(probe, Probe.run, trials, CANDIDATES, of_error=_of_error).findings():
            changed = finding.mistake == "mutates-input"
            yield replace(finding, mistake="mutates-grad-output") if changed else finding

    return findings


def _drawn(generator: np.random.Generator) -> tuple[Shape, Shape]:
    """Return a shape of up to four axes, and one that broadcasts to it."""
    alike = generator.random() < 0.3
    sizes = generator.integers(1, 4, 4) if alike else generator.permutation([1, 2, 3, 4, 5])
    wide = tuple(int(n) for n in sizes[: generator.integers(1, 5)])
    narrow = wide[generator.integers(0, len(wide) + 1) :]
    return wide, tuple(1 if generator.random() < 0.5 else n for n in narrow)


def repeated(wide: Shape, shape: Shape) -> tuple[int, ...]:
    """Return the axes of the wide shape that broadcasting made or stretched."""
    new = len(wide) - len(shape)
    return (*range(new), *(new + i for i, n in enumerate(shape) if n == 1 and wide[new + i] != 1))


class _Sum(NamedTuple):
    """A gradient, the axes to sum, the true sum, and the student's result."""

    gradient: np.ndarray
    axes: tuple[int, ...]
    truth: np.ndarray
    result: np.ndarray


def _candidate(mistake: str | None, sentence: str, value: Callable[[_Sum], np.ndarray]) -> Candidate:
    def values(trial: Trial, result: Values) -> Values:
        gradient, shape, *_ = trial.arguments
        axes = repeated(gradient.shape, shape)
        return {RESULT: value(_Sum(gradient, axes, trial.truths[RESULT], result[RESULT]))}

    return Candidate(mistake, sentence, values)


def _numbers(one: _Sum, fewer: bool) -> np.ndarray:
    """Return the truth, in the result's shape if that has fewer axes (`fewer`) or not fewer (not `fewer`)."""
    return one.truth.reshape(one.result.shape) if (one.result.ndim < one.truth.ndim) == fewer else one.truth


def _last_copy(one: _Sum) -> np.ndarray:
    last = tuple(-1 if axis in one.axes else slice(None) for axis in range(one.gradient.ndim))
    return _like(one.result, one.gradient[last])


def _one_of_the_copies(one: _Sum) -> np.ndarray:
    """Return the result if each of its entries is that of one of several copies."""
    copies = np.moveaxis(one.gradient, one.axes, range(len(one.axes))).reshape(-1, *one.truth.shape)
    same = one.result.shape == one.truth.shape and (copies == one.result).any(axis=0).all()
    return one.result if same else one.truth


def _other_axes(one: _Sum, fewer: bool) -> np.ndarray:
    """Return the sum over other axes that equals the result; with `fewer`, over fewer axes."""
    for chosen in _choices(one.gradient.ndim):
        if set(chosen) < set(one.axes) if fewer else set(chosen) != set(one.axes):
            total = _like(one.result, one.gradient.sum(axis=chosen))
            if close(one.result, total):
                return total
    return one.truth


def _one_after_the_other(one: _Sum) -> np.ndarray:
    """Return the sum of the copies as if they were contiguous in memory."""
    return np.asarray(one.gradient.reshape(-1, *one.truth.shape).sum(axis=0))


CANDIDATES = [
    _candidate("lost-keepdim", "lacks an axis; its numbers are right", partial(_numbers, fewer=True)),
    _candidate("reshaped-gradient", "has right numbers in another shape", partial(_numbers, fewer=False)),
    _candidate(
        "gradient-too-large",
        "is the sum, repeated along an axis again",
        lambda one: np.broadcast_to(one.truth, one.result.shape),
    ),
    _candidate(
        "mean-instead-of-sum",
        "is the mean over the repeated axes",
        lambda one: _like(one.result, one.gradient.mean(axis=one.axes)),
    ),
    _candidate("overwrites-instead-of-accumulates", "is the last copy alone", _last_copy),
    _candidate("outputs-left-out", "is that of one copy alone", _one_of_the_copies),
    _candidate("missing-unbroadcast", "lacks the sum over a repeated axis", partial(_other_axes, fewer=True)),
    _candidate("wrong-sum-axis", "is the sum over another axis", partial(_other_axes, fewer=False)),
    _candidate("wrong-sum-axis", "sums the copies as if they lay one after the other", _one_after_the_other),
]


def _of_error(trial: Trial, error: StudentError) -> tuple[str | None, str]:
    gradient, shape, *_ = trial.arguments
    return _reshaped(gradient.shape, repeated(gradient.shape, shape), error), ""


def _reshaped(wide: Shape, axes: tuple[int, ...], error: StudentError) -> str | None:
    """Return the mistake of a sum over some axes that has too many or too few numbers for the shape.

    A missing axis was summed before and not kept.
    """
    if re.search(r"axis \d+ is out of bounds for array of dimension", error["message"]):
        return "lost-keepdim"
    size = re.search(r"cannot reshape array of size (\d+) into shape", error["message"])
    if size is None:
        return None
    choices = [
        set(chosen)
        for chosen in _choices(len(wide))
        if math.prod(n for axis, n in enumerate(wide) if axis not in chosen) == int(size[1])
    ]
    if any(chosen < set(axes) for chosen in choices):
        return "missing-unbroadcast"
    return "wrong-sum-axis" if choices else None


def _like(result: np.ndarray, array: np.ndarray) -> np.ndarray:
    """Return an array in the result's shape, if both have the same axes apart from those of one entry."""
    same = [n for n in result.shape if n != 1] == [n for n in array.shape if n != 1]
    return array.reshape(result.shape) if same else array


def _choices(count: int) -> Iterator[tuple[int, ...]]:
    axes = range(count)
    return chain.from_iterable(combinations(axes, chosen) for chosen in range(count + 1))


CHECKS = {check: _on(check) for check in SHAPES}
