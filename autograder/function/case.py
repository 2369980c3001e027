"""Everything that the checks of one Function look at, computed once and on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from autograder.function.arguments import Argument, Arguments, differentiable
from autograder.function.exercise import FunctionExercise

if TYPE_CHECKING:
    from autograder.function.answers import Pullback
    from autograder.function.inspection import Inspection
    from autograder.function.probe import FunctionProbe
    from autograder.function.truth import Truth


@dataclass(frozen=True)
class Sample:
    """One tuple of arguments and the truth about it."""

    arguments: Arguments
    truth: Truth
    others: Arguments  # arguments of the same kinds and shapes with other values

    @property
    def tensor_positions(self) -> list[int]:
        """Return the positions of the arguments that can require grad."""
        return [p for p, argument in enumerate(self.arguments) if differentiable(argument)]

    def in_single_precision(self) -> list[Argument]:
        """Return the arguments with float32 arrays in place of float64."""
        return [
            a.astype(np.float32) if isinstance(a, np.ndarray) and differentiable(a) else a
            for a in self.arguments
        ]

    def nearby(self) -> list[Argument]:
        """Return the arguments after a tiny step: no branch is taken another way, no mask changes."""
        steps = np.random.default_rng(0)
        return [
            a * (1 + 1e-6 * steps.uniform(0.5, 1, a.shape))
            if isinstance(a, np.ndarray) and differentiable(a)
            else a
            for a in self.arguments
        ]

    def subsets(self) -> Iterator[tuple[bool, ...]]:
        """Yield every choice of inputs that require grad, the whole set first, the empty one left out."""
        choices = [(True, False) if differentiable(a) else (False,) for a in self.arguments]
        yield from (subset for subset in product(*choices) if any(subset))


@dataclass(frozen=True)
class Trial:
    """One backward pass of the student's: where, for which inputs, with which cotangents, what came back."""

    sample: Sample
    requires: tuple[bool, ...]
    cotangents: list[np.ndarray | None]
    answer: Pullback

    @cached_property
    def truths(self) -> list[np.ndarray | None]:
        """Return the true gradients, None for arguments that do not require grad."""
        return self.sample.truth.vjp(self.requires, self.cotangents)

    @property
    def complete(self) -> bool:
        """Return whether every tensor input required grad, and every output had a cotangent that can."""
        pairs = zip(self.cotangents, self.sample.truth.differentiable_outputs, strict=True)
        return sum(self.requires) == len(self.sample.tensor_positions) and all(
            cotangent is not None or output is None for cotangent, output in pairs
        )


class Case:
    """One exercise, one probe, one seed."""

    def __init__(self, exercise: FunctionExercise, probe: FunctionProbe, seed: int) -> None:
        self.exercise = exercise
        self.probe = probe
        self.generator = np.random.default_rng(seed)

    @cached_property
    def samples(self) -> list[Sample]:
        """Return the samples drawn from the exercise."""
        drawn, others = (self.exercise.samples(self.generator) for _ in range(2))
        return [
            Sample(arguments, self.exercise.truth(self._observed(arguments)), other)
            for arguments, other in zip(drawn, others, strict=True)
        ]

    def _observed(self, arguments: Arguments) -> Arguments:
        """Return the arguments of the truth, which has no random numbers of its own."""
        if self.exercise.observe is None:
            return arguments
        return self.exercise.observe(arguments, self.probe.forward(arguments)["outputs"])

    @cached_property
    def inspections(self) -> list[Inspection]:
        """Return for each sample what stands behind one call: what it keeps, captures and calls."""
        calls = [(sample.arguments, self.random_cotangents(sample)) for sample in self.samples]
        return [self.probe.inspect(*call) for call in calls]

    @cached_property
    def native_autograd(self) -> list[str]:
        """Return where native autograd is called to get the gradient."""
        return [line for inspection in self.inspections for line in inspection["autograd"]]

    @cached_property
    def evasions(self) -> list[str]:
        """Return what hides calls of native autograd from the probe, in words."""
        return [told for inspection in self.inspections for told in inspection["evasions"]]

    @cached_property
    def trials(self) -> list[Trial]:
        """Return one backward pass for each subset of inputs of each sample, cotangents random.

        In one more pass half of the cotangents' entries are 0, as where a loss looks at a part of the output;
        of several outputs each is also left out once, as an output that no loss uses.
        """
        planned = list(self._plan_trials())
        return [
            Trial(sample, requires, cotangents, self.probe.vjp(sample.arguments, requires, cotangents))
            for sample, requires, cotangents in planned
        ]

    def _plan_trials(self) -> Iterator[tuple[Sample, tuple[bool, ...], list[np.ndarray | None]]]:
        for sample in self.samples:
            for requires in sample.subsets():
                yield sample, requires, self.random_cotangents(sample)
            cotangents = self.random_cotangents(sample)
            given = [index for index, cotangent in enumerate(cotangents) if cotangent is not None]
            yield sample, next(sample.subsets()), self._with_zeros(cotangents)
            for unused in given if len(given) > 1 else []:
                kept = [None if index == unused else c for index, c in enumerate(cotangents)]
                yield sample, next(sample.subsets()), kept

    def _with_zeros(self, cotangents: list[np.ndarray | None]) -> list[np.ndarray | None]:
        kept = [None if c is None else self.generator.permuted(np.arange(c.size) % 2) for c in cotangents]
        return [
            None if cotangent is None or mask is None else cotangent * mask.reshape(cotangent.shape)
            for cotangent, mask in zip(cotangents, kept, strict=True)
        ]

    def random_cotangents(self, sample: Sample) -> list[np.ndarray | None]:
        """Return standard normal arrays shaped like the outputs: never all ones, both signs.

        None stands for an output that has no gradient.
        """
        return [
            None if array is None else self.generator.standard_normal(array.shape)
            for array in sample.truth.differentiable_outputs
        ]

    def random_directions(self, sample: Sample, requires: Sequence[bool]) -> list[np.ndarray | None]:
        """Return standard normal arrays shaped like the arguments that require grad, None for the others."""
        return [
            self.generator.standard_normal(argument.shape)
            if flag and isinstance(argument, np.ndarray)
            else None
            for argument, flag in zip(sample.arguments, requires, strict=True)
        ]

    def name(self, position: int) -> str:
        """Return the name of an argument."""
        return self.exercise.parameters[position]
