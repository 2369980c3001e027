"""Collects the evidence on one wrong gradient: both Jacobians and the behaviour of backward."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from vjpcheck.ask import requests
from vjpcheck.ask.protocol import Request, request
from vjpcheck.case import Case, Sample, Trial
from vjpcheck.numbers import apart, basis, close, furthest, is_not, ratio
from vjpcheck.probe.function_probe import Probe


class Evidence:
    """The evidence on one input in one trial, available after `read` has taken the answers to `questions`.

    The Jacobians have one row per element of one output and one column per element of the input. With several
    outputs they belong to the first output whose gradient is wrong.
    """

    def __init__(self, case: Case, trial: Trial, position: int) -> None:
        self.case, self.trial, self.position = case, trial, position
        self.sample = trial.sample
        self.name = case.name(position)
        self.saves = trial.answer["saves"]
        indices = [index for index, cotangent in enumerate(trial.cotangents) if cotangent is not None]
        self._pulls = [_Pulls(case, trial, position, output) for output in indices]
        self.questions: list[Request[Any]] = [
            *(question for pulls in self._pulls for question in pulls.questions),
            request(Probe.interleaved, trial.sample.arguments, [], trial.cotangents),
        ]

    def read(self, answers: Sequence[Any]) -> None:
        """Take the answers to the questions, in order."""
        *pulled, repeated = answers
        remaining = iter(pulled)
        for pulls in self._pulls:
            pulls.read([next(remaining) for _ in pulls.questions])
        self._pull = next((pulls for pulls in self._pulls[:-1] if pulls.wrong), self._pulls[-1])
        self.output = self._pull.output
        pairs = zip(repeated["first"], repeated["second"], strict=False)
        self._repeats = all(one is None or other is None or close(one, other) for one, other in pairs)

    @property
    def truth(self) -> np.ndarray:
        """Return the true gradient for the trial's own cotangents."""
        return self.trial.truth(self.position)

    @property
    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the shapes of the output and of the input."""
        return self.sample.truth.outputs[self.output].shape, self.truth.shape

    @property
    def observed(self) -> np.ndarray:
        """Return the Jacobian of the student's backward."""
        return self._pull.jacobian

    @cached_property
    def true(self) -> np.ndarray:
        """Return the true Jacobian."""
        return self.sample.truth.jacobian(self.position, self.output)

    @property
    def pullbacks(self) -> tuple[np.ndarray, ...]:
        """Return the gradients for two random cotangents, and for a combination of them."""
        return self._pull["one"], self._pull["two"], self._pull["one - 2 two"]

    @property
    def reproducible(self) -> bool:
        """Return whether one cotangent gives the same gradient again, over a new graph and over the same."""
        return close(self._pull["again"], self._pull["one"]) and self._repeats

    @property
    def linear(self) -> bool:
        """Return whether the gradient is linear in the cotangent."""
        pull = self._pull
        additive = close(pull["+(|one| + |two|)"], pull["+|one|"] + pull["+|two|"])
        # clipped entries pass one of the two by chance
        return additive and close(pull["one - 2 two"], pull["one"] - 2 * pull["two"])

    @property
    def without_cotangent(self) -> np.ndarray:
        """Return the gradient for a cotangent of zeros."""
        return self._pull["zero"]

    def linear_but_for(self, constant: np.ndarray) -> bool:
        """Return whether the gradient minus a constant is linear in the cotangent."""
        one, two, both = (self._pull[name] - constant for name in ("one", "two", "one - 2 two"))
        return close(both, one - 2 * two)

    @property
    def gradient(self) -> np.ndarray:
        """Return the gradient for the trial's own cotangents."""
        return self.trial.gradient(self.position)

    @property
    def blind_side(self) -> int:
        """Return the sign of the cotangents that backward treats as zero; 0 if there is none."""
        pull = self._pull
        for sign, blind, other in ((1, "+", "-"), (-1, "-", "+")):
            if (
                pull[f"{other}|one|"].any()
                and not pull[f"{blind}|one|"].any()
                and close(pull[f"{other}(|one| + |two|)"], pull[f"{other}|one|"] + pull[f"{other}|two|"])
                and close(pull["one"], pull[f"one, its {other} entries"])
            ):
                return sign
        return 0

    @property
    def guarded(self) -> bool:
        """Return whether the gradient is right if all of ctx.needs_input_grad is true."""
        truth = self._pull.true("one")
        return not close(self._pull["one"], truth) and close(self._pull.all_needed, truth)

    @property
    def depends_on_choice(self) -> bool:
        """Return whether the gradient is missing only because some inputs do not require grad."""
        return self.guarded or (not self.observed.any() and self.arrives_elsewhere)

    @property
    def returned_needlessly(self) -> bool:
        """Return whether backward returned a gradient for this input in a trial that froze the input."""
        frozen = [
            other.answer["returned"] or []
            for other in self.case.trials
            if other.sample is self.sample and not other.requires[self.position]
        ]
        return any(value["type"] != "None" for returned in frozen for value in returned[self.position :][:1])

    @property
    def measured(self) -> str:
        """Return the difference of the Jacobian from the true one in words."""
        differing = int(apart(self.observed, self.true).sum())
        return (
            f"The Jacobian for {self.name} differs from the true one in {differing} of "
            f"{self.true.size} entries: {self.entry(furthest(self.observed, self.true))}"
        )

    def entry(self, entry: tuple[int, ...]) -> str:
        """Return an entry of the Jacobian and its true value in words."""
        row, column = (
            [int(i) for i in np.unravel_index(flat, shape)]
            for flat, shape in zip(entry, self.shapes, strict=True)
        )
        return (
            f"the derivative of output{row} with respect to {self.name}{column} "
            f"{is_not(self.observed[entry], self.true[entry])}."
        )

    @property
    def arrives_elsewhere(self) -> bool:
        """Return whether a gradient arrived from this output when other inputs required grad."""
        if sum(self.sample.truth.flows) > 1:  # then a trial does not show the output it came from
            return self._pull.arrives_elsewhere
        others = [other for other in self.case.trials if other.sample is self.sample]
        return any(_arrives(t, self.position) for t in others if t.requires != self.trial.requires)

    @property
    def arrives_in_another_trial(self) -> bool:
        """Return whether a gradient arrived in another trial, from any output."""
        own = self.sample, self.trial.requires
        others = [other for other in self.case.trials if (other.sample, other.requires) != own]
        return any(_arrives(other, self.position) for other in others)

    @property
    def ratios(self) -> list[tuple[float | None, dict[str, int]]]:
        """Return for each sample the ratio to the true gradient; None if it is no multiple or did not arrive.

        Each ratio comes with the counts of entries that a mean could divide by.
        """
        ratios = []
        for trial in self.case.trials:
            if trial.complete and trial.asks(self.position):
                gradient, truth = trial.answer["gradients"][self.position], trial.truth(self.position)
                if not close(np.zeros_like(truth), truth):
                    times = None if gradient is None else ratio(gradient, truth) if gradient.any() else 0.0
                    ratios.append((times, _counts(trial.sample, self.position)))
        return ratios


class _Pulls:
    """The gradients of one argument for several cotangents of one output and zeros for the other outputs."""

    def __init__(self, case: Case, trial: Trial, position: int, output: int) -> None:
        self.output = output
        self._trial, self._position = trial, position
        own = trial.cotangents[output]
        assert own is not None
        self._size = own.size
        one, two = (case.generator.standard_normal(own.shape) for _ in range(2))
        self._cotangents = {"own": own, "one": one, "two": two, "again": one, "one - 2 two": one - 2 * two}
        self._cotangents["zero"] = np.zeros_like(own)
        for sign, name in ((1, "+"), (-1, "-")):
            self._cotangents |= {
                f"{name}|one|": sign * np.abs(one),
                f"{name}|two|": sign * np.abs(two),
                f"{name}(|one| + |two|)": sign * (np.abs(one) + np.abs(two)),
                f"one, its {name} entries": np.where(one * sign > 0, one, 0),
            }
        arguments, requires = trial.sample.arguments, trial.requires
        all_cotangents = [self._alone(c) for c in (*self._cotangents.values(), *basis(own.shape))]
        elsewhere = [
            other
            for other in (trial.sample.subsets() if sum(trial.sample.truth.flows) > 1 else [])
            if other[position] and other != requires
        ]
        self.questions: list[Request[Any]] = [
            *(requests.gradients_alone(arguments, requires, cotangents) for cotangents in all_cotangents),
            *(requests.gradients_alone(arguments, other, self._alone(one)) for other in elsewhere),
            requests.vjp(arguments, requires, self._alone(one), all_needed=True),
        ]

    def read(self, answers: Sequence[Any]) -> None:
        """Take the answers to the questions."""
        *pulled, all_needed = answers
        gradients = [self._gradient(answer["gradients"]) for answer in pulled]
        self._gradients = dict(zip(self._cotangents, gradients, strict=False))
        end = len(self._cotangents) + self._size
        self.jacobian = np.array([row.ravel() for row in gradients[len(self._cotangents) : end]])
        self.arrives_elsewhere = any(gradient.any() for gradient in gradients[end:])
        self.all_needed = self._gradient(all_needed["gradients"])

    def __getitem__(self, name: str) -> np.ndarray:
        return self._gradients[name]

    def true(self, name: str) -> np.ndarray:
        """Return the true gradient for the cotangent of that name."""
        cotangents = self._alone(self._cotangents[name])
        truth = self._trial.sample.truth.vjp(self._trial.requires, cotangents)[self._position]
        assert truth is not None
        return truth

    @property
    def wrong(self) -> bool:
        """Return whether the gradient is wrong if only this output has a nonzero cotangent."""
        return not close(self["own"], self.true("own"))

    def _alone(self, cotangent: np.ndarray) -> list[np.ndarray | None]:
        cotangents = [None if each is None else np.zeros_like(each) for each in self._trial.cotangents]
        cotangents[self.output] = cotangent
        return cotangents

    def _gradient(self, gradients: Sequence[np.ndarray | None]) -> np.ndarray:
        gradient = gradients[self._position]
        return np.zeros_like(self._trial.truth(self._position)) if gradient is None else gradient


def _arrives(trial: Trial, position: int) -> bool:
    gradients = trial.answer["gradients"]
    if position >= len(gradients):  # this sample leaves out an argument that has a default
        return False
    gradient = gradients[position]
    return gradient is not None and bool(gradient.any())


def _counts(sample: Sample, position: int) -> dict[str, int]:
    """Return the counts of entries that a mean could divide by, under names that fit every sample.

    A count is a product of sizes of axes: of the output axes over which the gradient of one entry is summed;
    if there are none, of the input axes that an output sums; otherwise of all axes.
    """
    depends = sample.truth.jacobian(position) != 0
    output, operand = sample.truth.outputs[0].shape, np.shape(np.asarray(sample.arguments[position]))
    shape, axes = output, _extent(depends.T, output)
    counts: dict[str, int] = {}
    if not axes:
        shape, axes = operand, _extent(depends, operand) or list(range(len(operand)))
        counts = {"nothing adds up": 1}
    counts["all"] = prod(shape[axis] for axis in axes)
    for size in range(1, len(axes) + 1):
        for chosen in combinations(axes, size):
            product = prod(shape[axis] for axis in chosen)
            counts[str(chosen)] = product
            counts[str([axis - len(shape) for axis in chosen])] = product  # counted from the back
    return counts


def _extent(groups: np.ndarray, shape: tuple[int, ...]) -> list[int]:
    """Return the axes along which some group has several elements; a row marks the elements of a group.

    An axis of size 1 is included: in another sample it may be longer.
    """
    if not shape:
        return []
    places = [np.unravel_index(np.flatnonzero(group), shape) for group in groups]
    varies = [axis for axis in range(len(shape)) if any(len(set(place[axis])) > 1 for place in places)]
    return [axis for axis in range(len(shape)) if varies and (axis in varies or shape[axis] == 1)]
