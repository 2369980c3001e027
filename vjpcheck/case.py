"""Collects the data that the checks of one Function share; each part is requested once, when first needed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from vjpcheck import samples
from vjpcheck.arguments import Argument, Arguments, differentiable, floating
from vjpcheck.ask import requests
from vjpcheck.ask.protocol import ProbeClient, Request, request
from vjpcheck.probe.function_probe import Probe
from vjpcheck.result import Finding
from vjpcheck.spec import Observe, Spec
from vjpcheck.truth.native import NativeTruth, Truth

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Declared, Forward, Inspection, Pullback

Answer = TypeVar("Answer")
Arrays = list[np.ndarray | None]


@dataclass(frozen=True, eq=False)  # compared by identity: == of arrays is not one bool
class Sample:
    """One tuple of arguments and the truth about it."""

    arguments: Arguments
    truth: Truth
    others: Arguments  # arguments of the same kinds and shapes with other values

    @property
    def tensor_positions(self) -> list[int]:
        """Return the positions of the arguments that can require grad."""
        return [p for p, argument in enumerate(self.arguments) if differentiable(argument)]

    @property
    def entries(self) -> int:
        """Return the number of entries of all arrays."""
        return sum(argument.size for argument in self.arguments if isinstance(argument, np.ndarray))

    @property
    def most_axes(self) -> int:
        """Return the largest number of axes of an array."""
        return max(
            (argument.ndim for argument in self.arguments if isinstance(argument, np.ndarray)), default=0
        )

    @property
    def all_required(self) -> tuple[bool, ...]:
        """Return the flags with which every argument requires grad that can."""
        return tuple(differentiable(argument) for argument in self.arguments)

    def in_single_precision(self) -> list[Argument]:
        """Return the arguments with float32 arrays in place of float64."""
        return [
            a.astype(np.float32) if isinstance(a, np.ndarray) and floating(a) else a for a in self.arguments
        ]

    def nearby(self) -> list[Argument]:
        """Return the arguments after a step so small that no branch and no mask changes."""
        steps = np.random.default_rng(0)
        return [
            a * (1 + 1e-6 * steps.uniform(0.5, 1, a.shape))
            if isinstance(a, np.ndarray) and differentiable(a)
            else a
            for a in self.arguments
        ]

    def subsets(self) -> Iterator[tuple[bool, ...]]:
        """Yield every non-empty choice of inputs that require grad, the whole set first."""
        choices = [(True, False) if differentiable(a) else (False,) for a in self.arguments]
        yield from (subset for subset in product(*choices) if any(subset))


@dataclass(frozen=True, eq=False)
class Trial:
    """One backward pass of the student's Function: sample, inputs that require grad, cotangents, answer."""

    sample: Sample
    requires: tuple[bool, ...]
    cotangents: Arrays
    answer: Pullback

    @cached_property
    def truths(self) -> Arrays:
        """Return the true gradients, None for arguments that do not require grad."""
        return self.sample.truth.vjp(self.requires, self.cotangents)

    def asks(self, position: int) -> bool:
        """Return whether an argument requires grad; in a shorter call it may be absent."""
        return position < len(self.requires) and self.requires[position]

    def truth(self, position: int) -> np.ndarray:
        """Return the true gradient for an argument that requires grad."""
        truth = self.truths[position]
        assert truth is not None
        return truth

    def gradient(self, position: int) -> np.ndarray:
        """Return the student's gradient for an argument; zeros where none arrived."""
        gradient = self.answer["gradients"][position]
        return np.zeros_like(self.truth(position)) if gradient is None else gradient

    @property
    def complete(self) -> bool:
        """Return whether every tensor input required grad and every differentiable output had a cotangent."""
        pairs = zip(self.cotangents, self.sample.truth.differentiable_outputs, strict=True)
        return sum(self.requires) == len(self.sample.tensor_positions) and all(
            cotangent is not None or output is None for cotangent, output in pairs
        )


TAKEN_FOR_GRANTED = "Which shape, axis or number does your code take for granted?"
_OF_FURTHER = 1 << 32  # added to the seed for the further samples: no other generator has such a seed


class FurtherSample(NamedTuple):
    """A further sample for one comparison: its description, whether its numbers are small, and a hint.

    Its numbers are larger or smaller, one of its arrays is zero, or it comes from `Domain.once`.
    """

    label: str
    sample: Sample
    small: bool = False
    hint: str = ""


@dataclass(frozen=True)
class Look:
    """A part of a check: its questions, and a function from the answers, in the same order, to findings."""

    questions: Sequence[Request[Any]]
    read: Callable[[Sequence[Any]], Iterator[Finding]]


@dataclass(frozen=True)
class FirstLook:
    """The outputs and inspections of each sample, and the outputs of the first sample in float32.

    `single` is empty where the library computes in float64 only. `hard_in_float32` and `further_samples` have
    the outputs for these samples, if there are any.
    """

    forwards: list[Forward]
    single: list[Forward]
    hard_in_float32: list[Forward]
    further_samples: list[Forward]
    inspections: list[Inspection]


class _Known:
    """The samples and truths that all submissions with one seed share."""

    def __init__(self, spec: Spec, seed: int) -> None:
        self.spec, self.seed = spec, seed
        # with fixed samples, or a forward that draws at random, the truth about another sample is unknown
        self._alone = spec.samples is not None or spec.observe is not None

    @property
    def drawn(self) -> samples.DrawnSamples:
        """Return the samples, and for each sample other arguments of the same shapes."""
        return self._drawing[0]

    @property
    def generator(self) -> np.random.Generator:
        """Return a copy of the generator in its state after drawing the samples."""
        return copy.deepcopy(self._drawing[1])

    @cached_property
    def _drawing(self) -> tuple[samples.DrawnSamples, np.random.Generator]:
        random = np.random.default_rng(self.seed)
        fixed = self.spec.samples is not None
        return samples.DrawnSamples([], []) if fixed else samples.drawn(self.spec, random), random

    @cached_property
    def truths(self) -> list[Truth]:
        """Return the truth about each sample."""
        return [self.truth(arguments) for arguments in self.drawn.samples]

    def truth(self, arguments: Arguments) -> Truth:
        """Return the truth about a tuple of arguments."""
        return NativeTruth(self.spec.library, self.spec.forward, arguments, self.spec.pullback)

    def _sample(self, arguments: Arguments) -> Sample:
        return Sample(arguments, self.truth(arguments), arguments)

    @cached_property
    def further_samples(self) -> list[FurtherSample]:
        """Return the first sample with larger, smaller and zero numbers, and the samples of `Domain.once`."""
        if self._alone:
            return []
        spec, first = self.spec, self.drawn.samples[0]
        others = []
        for by in samples.factors(spec):
            sample = self._sample(samples.scaled(spec, first, by))
            others.append(FurtherSample(f"inputs {by:g} times as large as the others", sample, by < 1))
        for name, arguments in samples.with_zeros_alone(spec, first):
            others.append(FurtherSample(f"{name} full of zeros", self._sample(arguments)))
        further = samples.compared_once(spec, np.random.default_rng(self.seed + _OF_FURTHER))
        for label, arguments in further:
            others.append(FurtherSample(label, self._sample(arguments), hint=TAKEN_FOR_GRANTED))
        return others

    @cached_property
    def one_tensor_twice(self) -> tuple[list[int], Sample] | None:
        """Return the positions of equal arguments and a sample that has them; None if there is none."""
        pair = None if self._alone else samples.with_one_tensor_twice(self.spec, self.drawn.samples)
        return pair and (pair[0], self._sample(pair[1]))

    @cached_property
    def hard_in_float32(self) -> list[FurtherSample]:
        """Return the first sample with numbers that are hard in float32: far from 0, or large."""
        if self.spec.samples is not None:
            return []
        hard = samples.hard_in_float32(self.spec, self.drawn.samples[0])
        return [FurtherSample(label, self._sample(arguments)) for label, arguments in hard]


_known = lru_cache(maxsize=128)(_Known)


class Case:
    """One specification, the name of a Function, its probe and a seed."""

    def __init__(self, spec: Spec, function: str, probe: ProbeClient, seed: int) -> None:
        self.function = function
        self.spec = spec
        self.known = _known(spec, seed) if spec.samples is None else _Known(spec, seed)
        self._probe = probe

    @cached_property
    def generator(self) -> np.random.Generator:
        """Return the generator of all random numbers after the samples."""
        return self.known.generator

    def ask(self, questions: Sequence[Request[Answer]]) -> list[Answer]:
        """Return the answers, in one round trip."""
        return self._probe.ask(questions)

    def ask_one(self, question: Request[Answer]) -> Answer:
        """Return the answer to one question."""
        (answer,) = self.ask([question])
        return answer

    def look(self, looks: Sequence[Look]) -> Iterator[Finding]:
        """Yield the findings of several looks, in order and in one round trip."""
        for findings in self._looked(looks):
            yield from findings

    def look_for_cause(self, looks: Sequence[Look]) -> Iterator[Finding]:
        """Yield the findings of the first look that has any, in one round trip.

        The looks are ordered by cause: the findings of a later look follow from those of an earlier one.
        """
        yield from next((causes for findings in self._looked(looks) if (causes := [*findings])), [])

    def _looked(self, looks: Sequence[Look]) -> Iterator[Iterator[Finding]]:
        answers = iter(self.ask([question for look in looks for question in look.questions]))
        for look in looks:
            yield look.read([next(answers) for _ in look.questions])

    @cached_property
    def samples(self) -> list[Sample]:
        """Return the drawn samples, which distinguish mistakes, and then the small case of the text."""
        if self.spec.samples is not None:
            return [Sample(*fields) for fields in self.spec.samples]
        drawn = self.known.drawn
        if self.spec.observe is None:
            truths = self.known.truths
        else:
            truths = [*map(self.known.truth, self._observed(drawn.samples, self.spec.observe))]
        return [Sample(*of_one) for of_one in zip(drawn.samples, truths, drawn.others, strict=True)]

    def _observed(self, drawn: Sequence[Arguments], observe: Observe) -> Sequence[Arguments]:
        """Return the truth's arguments, which contain the random numbers that forward drew.

        Zeros in the arguments are replaced to show the random numbers in the outputs. The random numbers must
        not depend on the values of the arguments.
        """
        answers = self.ask([requests.forward([_without_zeros(a) for a in arguments]) for arguments in drawn])
        pairs = zip(drawn, answers, strict=True)
        return [observe(arguments, answer["outputs"]) for arguments, answer in pairs]

    @cached_property
    def first_look(self) -> FirstLook:
        """Return the outputs and inspections of a call at each sample."""
        count = len(self.samples)
        questions: list[Request[Any]] = [
            *(requests.forward(sample.arguments) for sample in self.samples),
            *(requests.inspect(s.arguments, self.random_cotangents(s)) for s in self.samples),
            *(requests.forward(other.sample.arguments) for other in self.known.further_samples),
            *(requests.forward(s.in_single_precision()) for s in self.single_precision[:1]),
            *(requests.forward(hard.sample.in_single_precision()) for hard in self.known.hard_in_float32),
        ]
        answers = self.ask(questions)
        forwards, inspections = answers[:count], answers[count : 2 * count]
        end = 2 * count + len(self.known.further_samples)
        hard = len(answers) - len(self.known.hard_in_float32)
        return FirstLook(forwards, answers[end:hard], answers[hard:], answers[2 * count : end], inspections)

    @property
    def single_precision(self) -> list[Sample]:
        """Return the samples that are also checked in float32: the first one and the small case of the text.

        Other libraries than PyTorch compute in float64 only.
        """
        if self.spec.library != "torch" or "float32" not in self.spec.dtypes[1:]:
            return []
        return [*dict.fromkeys([self.samples[0], self.samples[-1]])]

    @property
    def inspections(self) -> list[Inspection]:
        """Return for each sample what one call keeps, captures and calls."""
        return self.first_look.inspections

    @cached_property
    def declared(self) -> Declared:
        """Return which static methods the Function itself defines."""
        return self.ask_one(request(Probe.declared))

    @property
    def native_autograd(self) -> list[str]:
        """Return the lines that call native autograd."""
        return [line for inspection in self.inspections for line in inspection["autograd"]]

    @cached_property
    def trials(self) -> list[Trial]:
        """Return one backward pass for each sample and each subset of its inputs, with random cotangents.

        In one more pass half of the cotangents' entries are 0, as for a loss of a part of the output. With
        several outputs, each one is left out once, like an output that no loss uses, and used alone once.
        """
        planned = list(self._plan_trials())
        answers = self.ask([requests.vjp(s.arguments, requires, c) for s, requires, c in planned])
        return [Trial(*plan, answer) for plan, answer in zip(planned, answers, strict=True)]

    def _plan_trials(self) -> Iterator[tuple[Sample, tuple[bool, ...], Arrays]]:
        for sample in self.samples:
            for requires in sample.subsets():
                yield sample, requires, self.random_cotangents(sample)
            cotangents = self.random_cotangents(sample)
            indices = [index for index, cotangent in enumerate(cotangents) if cotangent is not None]
            every = sample.all_required
            yield sample, every, self._with_zeros(cotangents)
            for one in indices if len(indices) > 1 else []:
                yield sample, every, [None if i == one else c for i, c in enumerate(cotangents)]
                if len(indices) > 2:
                    yield sample, every, [c if i == one else None for i, c in enumerate(cotangents)]

    def _with_zeros(self, cotangents: Arrays) -> Arrays:
        kept = [None if c is None else self.generator.permuted(np.arange(c.size) % 2) for c in cotangents]
        return [
            None if cotangent is None or mask is None else cotangent * mask.reshape(cotangent.shape)
            for cotangent, mask in zip(cotangents, kept, strict=True)
        ]

    def random_cotangents(self, sample: Sample) -> Arrays:
        """Return standard normal arrays shaped like the outputs; ones would hide mistakes.

        An output without a gradient gets None.
        """
        return [
            None if array is None else self.generator.standard_normal(array.shape)
            for array in sample.truth.differentiable_outputs
        ]

    def random_directions(self, sample: Sample, requires: Sequence[bool]) -> Arrays:
        """Return standard normal arrays shaped like the arguments that require grad, None for the others."""
        return [
            self.generator.standard_normal(argument.shape)
            if flag and isinstance(argument, np.ndarray)
            else None
            for argument, flag in zip(sample.arguments, requires, strict=True)
        ]

    def name(self, position: int) -> str:
        """Return the name of an argument."""
        return self.spec.parameters[position]


def _without_zeros(argument: Argument) -> Argument:
    if isinstance(argument, np.ndarray) and differentiable(argument):
        return np.where(argument == 0, 1.0, argument)
    return argument
