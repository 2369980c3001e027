"""Everything that the checks of one Function look at, computed once and on demand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from autograder.function.exercise import Argument, Arguments, FunctionExercise
from autograder.function.probe import FunctionProbe, Pullback
from autograder.function.truth import Truth


@dataclass(frozen=True)
class Sample:
    """One tuple of arguments and the truth about it."""

    arguments: Arguments
    truth: Truth

    @property
    def tensor_positions(self) -> list[int]:
        """Return the positions of the arguments that can require grad."""
        return [p for p, argument in enumerate(self.arguments) if isinstance(argument, np.ndarray)]

    def in_single_precision(self) -> list[Argument]:
        """Return the arguments with float32 arrays in place of float64."""
        return [a.astype(np.float32) if isinstance(a, np.ndarray) else a for a in self.arguments]

    def subsets(self) -> Iterator[tuple[bool, ...]]:
        """Yield every choice of inputs that require grad, the whole set first, the empty one left out."""
        choices = [(True, False) if isinstance(a, np.ndarray) else (False,) for a in self.arguments]
        yield from (subset for subset in product(*choices) if any(subset))


@dataclass(frozen=True)
class Trial:
    """One backward pass of the student's: where, for which inputs, with which cotangents, what came back."""

    sample: Sample
    requires: tuple[bool, ...]
    cotangents: list[np.ndarray]
    answer: Pullback

    @cached_property
    def truths(self) -> list[np.ndarray | None]:
        """Return the true gradients, None for arguments that do not require grad."""
        return self.sample.truth.vjp(self.requires, self.cotangents)

    @property
    def complete(self) -> bool:
        """Return whether every tensor input required grad."""
        return sum(self.requires) == len(self.sample.tensor_positions)


class Case:
    """One exercise, one probe, one seed."""

    def __init__(self, exercise: FunctionExercise, probe: FunctionProbe, seed: int) -> None:
        self.exercise = exercise
        self.probe = probe
        self.generator = np.random.default_rng(seed)

    @cached_property
    def samples(self) -> list[Sample]:
        """Return the samples drawn from the exercise."""
        drawn = self.exercise.samples(self.generator)
        return [Sample(arguments, Truth(self.exercise, arguments)) for arguments in drawn]

    @cached_property
    def trials(self) -> list[Trial]:
        """Return one backward pass for each subset of inputs of each sample, cotangents random."""
        return list(self._run_trials())

    def _run_trials(self) -> Iterator[Trial]:
        for sample in self.samples:
            for requires in sample.subsets():
                cotangents = self.random_like(sample.truth.outputs)
                answer = self.probe.vjp(sample.arguments, requires, cotangents)
                yield Trial(sample, requires, cotangents, answer)

    def random_like(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        """Return standard normal arrays of the same shapes: never all ones, both signs."""
        return [self.generator.standard_normal(array.shape) for array in arrays]

    def name(self, position: int) -> str:
        """Return the name of an argument."""
        return self.exercise.parameters[position]
