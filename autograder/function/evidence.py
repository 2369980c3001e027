"""What is known of one wrong gradient: the observed Jacobian, the true one, and how backward behaves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from math import prod

import numpy as np

from autograder.function.case import Case, Sample, Trial
from autograder.function.numbers import basis, close

ROWS_AT_ONCE = 64  # of a Jacobian, in one request to a probe that may be far away


class Evidence:
    """What was seen of one input in one trial, gathered on demand.

    Rows of the Jacobians are the elements of one output, columns those of the input.
    """

    def __init__(self, case: Case, trial: Trial, position: int) -> None:
        self.case, self.trial, self.position = case, trial, position
        self.sample = trial.sample
        self.name = case.name(position)
        self.saves = trial.answer["saves"]
        given = [index for index, cotangent in enumerate(trial.cotangents) if cotangent is not None]
        self.output = given[0]
        self.output = next((index for index in given[:-1] if self._wrong(index)), given[-1])

    def _wrong(self, output: int) -> bool:
        """Return whether the gradient is wrong where this output alone has a cotangent that is not zero."""
        self.output, cotangent = output, self.trial.cotangents[output]
        assert cotangent is not None
        rest = [None if given is None else np.zeros_like(given) for given in self.trial.cotangents]
        rest[output] = cotangent
        truth = self.sample.truth.vjp(self.trial.requires, rest)[self.position]
        assert truth is not None
        return not close(self.pull(cotangent), truth)

    @property
    def truth(self) -> np.ndarray:
        """Return the true gradient for the trial's own cotangents."""
        truth = self.trial.truths[self.position]
        assert truth is not None
        return truth

    @property
    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the shapes of the output and of the input."""
        return self.sample.truth.outputs[self.output].shape, self.truth.shape

    def pull(self, cotangent: np.ndarray, all_needed: bool = False) -> np.ndarray:
        """Return the gradient for this cotangent of the output, zeros for the other outputs.

        `all_needed` makes ctx.needs_input_grad say that every input needs its gradient.
        """
        cotangents = self._alone(cotangent)
        answer = self.case.probe.vjp(self.sample.arguments, self.trial.requires, cotangents, all_needed)
        return self._gradient(answer["gradients"])

    def _alone(self, cotangent: np.ndarray) -> list[np.ndarray | None]:
        cotangents = [None if given is None else np.zeros_like(given) for given in self.trial.cotangents]
        cotangents[self.output] = cotangent
        return cotangents

    def _gradient(self, gradients: Sequence[np.ndarray | None]) -> np.ndarray:
        found = gradients[self.position]
        return np.zeros_like(self.truth) if found is None else found

    @cached_property
    def observed(self) -> np.ndarray:
        """Return the Jacobian that backward stands for."""
        units, rows = basis(self.shapes[0]), []
        for start in range(0, len(units), ROWS_AT_ONCE):
            given = [self._alone(unit) for unit in units[start : start + ROWS_AT_ONCE]]
            found = self.case.probe.vjps(self.sample.arguments, self.trial.requires, given)
            rows += [self._gradient(gradients).ravel() for gradients in found]
        return np.array(rows)

    @cached_property
    def true(self) -> np.ndarray:
        """Return the true Jacobian."""
        return self.sample.truth.jacobian(self.position, self.output)

    @cached_property
    def cotangents(self) -> tuple[np.ndarray, np.ndarray]:
        """Return two random cotangents of the output."""
        one, two = (self.case.generator.standard_normal(self.shapes[0]) for _ in range(2))
        return one, two

    @cached_property
    def pullbacks(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the gradients for the two random cotangents."""
        return self.pull(self.cotangents[0]), self.pull(self.cotangents[1])

    @property
    def reproducible(self) -> bool:
        """Return whether the same cotangent gives the same gradient again."""
        return close(self.pull(self.cotangents[0]), self.pullbacks[0]) and _repeats(self.case, self.trial)

    @property
    def linear(self) -> bool:
        """Return whether the gradient is linear in the cotangent."""
        (one, two), (first, second) = self.cotangents, self.pullbacks
        return close(self.pull(one - 2 * two), first - 2 * second)

    @property
    def blind_side(self) -> int:
        """Return the sign of cotangents that backward treats as zero, linear as it is otherwise; or 0."""
        one, two = (np.abs(cotangent) for cotangent in self.cotangents)
        mixed = self.cotangents[0]
        for sign in (1, -1):
            seen = self.pull(-sign * one)
            if (
                seen.any()
                and not self.pull(sign * one).any()
                and close(self.pull(-sign * (one + two)), seen + self.pull(-sign * two))
                and close(self.pull(mixed), self.pull(np.where(mixed * sign < 0, mixed, 0)))
            ):
                return sign
        return 0

    @property
    def guarded(self) -> bool:
        """Return whether the gradient is right as soon as ctx.needs_input_grad is true throughout."""
        cotangent = self.cotangents[0]
        given = [None if c is None else np.zeros_like(c) for c in self.trial.cotangents]
        given[self.output] = cotangent
        truth = self.sample.truth.vjp(self.trial.requires, given)[self.position]
        assert truth is not None
        return not close(self.pull(cotangent), truth) and close(self.pull(cotangent, all_needed=True), truth)

    @property
    def arrives_elsewhere(self) -> bool:
        """Return whether a gradient did arrive in some other choice of inputs that require grad."""
        return any(
            _arrives(other, self.position)
            for other in self.case.trials
            if other.sample is self.sample and other.requires != self.trial.requires
        )

    @property
    def swapped_with(self) -> str:
        """Return the name of the input whose gradient this is, and the other way round; or nothing."""
        other = swapped_with(self.trial, self.position)
        return "" if other is None else self.case.name(other)

    @property
    def ratios(self) -> list[tuple[float | None, dict[str, int]]]:
        """Return for every sample how many times the true gradient this is, None if no multiple.

        Beside it stand the counts of entries that a mean could have divided by.
        """
        return _ratios(self.case, self.position)


def _repeats(case: Case, trial: Trial) -> bool:
    """Return whether two passes over one graph agree: each call gets a new generator of the same seed."""
    answer = case.probe.interleaved(trial.sample.arguments, [], trial.cotangents)
    pairs = zip(answer["first"], answer["second"], strict=False)
    return all(one is None or other is None or close(one, other) for one, other in pairs)


def ratio(observed: np.ndarray, true: np.ndarray) -> float | None:
    """Return k where the observed is k times the true; None where it is no such multiple, or zero."""
    norm = float((true * true).sum())
    found = float((observed * true).sum()) / norm if norm else 0.0
    return found if found and close(observed, found * true) else None


def _arrives(trial: Trial, position: int) -> bool:
    gradient = trial.answer["gradients"][position]
    return gradient is not None and bool(gradient.any())


def swapped_with(trial: Trial, position: int) -> int | None:
    """Return the position of the input whose gradient stands here, and whose own place has this one's."""

    def is_that_of(one: int, other: int) -> bool:
        found, truth = trial.answer["gradients"][one], trial.truths[other]
        return found is not None and truth is not None and found.shape == truth.shape and close(found, truth)

    for other in trial.sample.tensor_positions:
        if other != position and is_that_of(position, other) and is_that_of(other, position):
            return other
    return None


def _ratios(case: Case, position: int) -> list[tuple[float | None, dict[str, int]]]:
    found = []
    for trial in case.trials:
        if trial.complete and position in trial.sample.tensor_positions:
            truth = trial.truths[position]
            gradient = trial.answer["gradients"][position]
            if truth is not None and truth.any():
                times = None if gradient is None else ratio(gradient, truth)
                found.append((times, _counts(trial.sample, position)))
    return found


def _counts(sample: Sample, position: int) -> dict[str, int]:
    """Return the numbers of entries that a mean could divide by, under names that hold for every sample.

    These are products of the sizes of axes: of those of the output over which the gradient of one entry adds
    up; if there are none, of those of the input that an output adds up; failing that, of all.
    """
    depends = sample.truth.jacobian(position) != 0
    output, given = sample.truth.outputs[0].shape, np.shape(np.asarray(sample.arguments[position]))
    shape, axes = output, _extent(depends.T, output)
    if not axes:
        shape, axes = given, _extent(depends, given) or list(range(len(given)))
    counts = {"all": prod(shape[axis] for axis in axes)}
    for size in range(1, len(axes) + 1):
        for chosen in combinations(axes, size):
            product = prod(shape[axis] for axis in chosen)
            counts[str(chosen)] = product
            counts[str([axis - len(shape) for axis in chosen])] = product  # counted from the back
    return counts


def _extent(groups: np.ndarray, shape: tuple[int, ...]) -> list[int]:
    """Return the axes along which some group (a row marks its elements of an array) has several entries.

    An axis of size 1 goes with them: in another sample it may be longer.
    """
    if not shape:
        return []
    places = [np.unravel_index(np.flatnonzero(group), shape) for group in groups]
    varies = [axis for axis in range(len(shape)) if any(len(set(place[axis])) > 1 for place in places)]
    return [axis for axis in range(len(shape)) if varies and (axis in varies or shape[axis] == 1)]
