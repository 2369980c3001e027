"""Checks that the second derivative is right, or that backward is declared once differentiable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from vjpcheck import gradcheck
from vjpcheck.ask import requests
from vjpcheck.ask.protocol import Request
from vjpcheck.case import Case, Sample
from vjpcheck.checks import conditions
from vjpcheck.checks.conditions import Comparison, Condition, Test, in_float32
from vjpcheck.checks.gradient_conditions import wrong_positions
from vjpcheck.gradcheck import Refusal
from vjpcheck.mistakes import named
from vjpcheck.naming.from_second_order import explain
from vjpcheck.naming.further_outputs import FurtherOutputs
from vjpcheck.numbers import arrived
from vjpcheck.result import Finding

if TYPE_CHECKING:
    from vjpcheck.ask.answers import HigherPullback, Pullback, Supposition

CHECK = "second order"
DECLARED = "backward is declared once differentiable, but higher derivatives are asked for."
WRITTEN = "The saved tensors or the cotangent have different values after the second derivative was computed."
AGAIN = "computed-again-in-backward"
MOVED = (
    "backward recomputes from its input: for other values of the saved input and the same intermediates, the "
    "second derivative is different."
)

Arrays = Sequence[np.ndarray | None]


@dataclass(frozen=True)
class Attempt:
    """One pullback whose inner products with random directions are differentiated, once or more."""

    case: Case
    sample: Sample
    requires: tuple[bool, ...]
    cotangents: Arrays
    directions: Sequence[Arrays]
    truths: Arrays

    def question(self, supposition: Supposition = "") -> Request[HigherPullback]:
        """Ask for the derivative of the student's backward, as it is or under a supposition."""
        return requests.higher_vjp(
            self.sample.arguments, self.requires, self.cotangents, self.directions, supposition
        )

    def still_right(self, answer: Pullback) -> bool:
        """Return whether the gradient itself is still right."""
        truths = self.sample.truth.vjp(self.requires, self.cotangents)
        return "error" not in answer and not wrong_positions(self.case, answer["gradients"], truths)

    def wrong(self, answer: HigherPullback) -> bool:
        """Return whether the work raised or a derivative is wrong."""
        return "error" in answer or self.first_wrong(answer) is not None

    def first_wrong(self, answer: HigherPullback) -> tuple[np.ndarray, np.ndarray, str] | None:
        """Return the first wrong derivative, the true one, and the name of its variable."""
        for name, array, truth in self._derivatives(answer):
            if not arrived(array, truth, self.case.spec.second_order_tolerance):
                return np.zeros_like(truth) if array is None else array, truth, name
        return None

    def tried(self, condition: Condition, supposition: Supposition, check: str = CHECK) -> Test:
        """Return the call whose derivative must be right under a supposition."""

        def compared(answer: HigherPullback) -> Iterator[Comparison]:
            for name, array, truth in self._derivatives(answer, cotangents=supposition != "constant"):
                yield Comparison(f"The derivative by {name}", array, truth)

        tolerance = self.case.spec.second_order_tolerance
        return Test(check, condition, self.question(supposition), compared, tolerance)

    def _derivatives(
        self, answer: HigherPullback, cotangents: bool = True
    ) -> Iterator[tuple[str, np.ndarray | None, np.ndarray]]:
        count = len(self.cotangents) if cotangents else 0
        names = [self.case.name(position) for position in range(len(self.requires))]
        names += ["the cotangent"] if count == 1 else [f"cotangent {index}" for index in range(count)]
        arrays = [*answer["for_arguments"], *answer["for_cotangents"]]
        for name, array, truth in zip(names, arrays, self.truths, strict=False):
            if truth is not None:
                yield name, *_where_finite(array, truth)


def _where_finite(array: np.ndarray | None, truth: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
    """Return both with 0 where the true one is infinite or NaN: there is no derivative to compare with."""
    finite = np.isfinite(truth)
    if finite.all() or (array is not None and array.shape != truth.shape):
        return array, truth
    return None if array is None else np.where(finite, array, 0.0), np.where(finite, truth, 0.0)


def findings(case: Case) -> Iterator[Finding]:
    """Compare the derivative of the pullback with the truth; ask gradgradcheck about the first sample."""
    attempts = [_attempt(case, sample, requires) for sample, requires in _subsets(case.samples)]
    attempts += [
        _attempt(case, sample, sample.all_required, output)
        for sample in case.samples
        for output in _several(sample.truth.flows)
    ]
    first = attempts[0]
    strict = case.spec.by_gradcheck
    table = gradcheck.second_order(case, first.sample, first.cotangents, fast=True) if strict else None
    outputs = (
        FurtherOutputs(case, first.sample, marked_is_right=True) if case.spec.all_outputs_graded else None
    )
    of_outputs = outputs.questions if outputs else []
    under_conditions = [*_under_conditions(attempts)]
    questions = [attempt.question() for attempt in attempts] + [one.question for one in under_conditions]
    answers = iter(case.ask([*questions, *of_outputs, *(table.questions if table else [])]))
    tried = [*islice(answers, len(attempts))]
    pairs = [*zip(under_conditions, islice(answers, len(under_conditions)), strict=True)]
    pulled = [*islice(answers, len(of_outputs))]
    faults = list(_against_truth(attempts, tried))
    if not faults and not any(answer["declared_once"] for answer in tried):
        faults = next(filter(None, ([*one.findings(answer)] for one, answer in pairs)), [])
    if not faults and outputs and (unused := outputs.finding(CHECK, pulled)):
        faults = [unused]
    yield from faults
    if not faults and case.spec.computes_once:
        faults = list(_computed_again(attempts))
        yield from faults
    if table and not faults and not any(answer["declared_once"] for answer in tried):
        yield from _by_gradgradcheck(first, table.refusal([*answers]))


def _under_conditions(attempts: Sequence[Attempt]) -> Iterator[Test]:
    """Yield the conditions of a second derivative, in the order of cause."""
    first, wide = attempts[0], max(attempts, key=lambda attempt: attempt.sample.most_axes)
    if first.case.spec.observe is None:  # random numbers drawn in forward may depend on the layout
        yield wide.tried(conditions.STRIDED, "strided")
    yield first.tried(conditions.BETWEEN, "between")
    yield first.tried(conditions.CONSTANT_COTANGENT, "constant")
    if first.case.single_precision:
        cotangents, *directions = map(in_float32, (first.cotangents, *first.directions))
        arguments = first.sample.in_single_precision()
        question = requests.higher_vjp(arguments, first.requires, cotangents, directions)
        yield Test(CHECK, conditions.FLOAT32, question, lambda answer: ())  # only whether it raises


def _subsets(samples: Sequence[Sample]) -> Iterator[tuple[Sample, tuple[bool, ...]]]:
    """Yield every choice of inputs that require grad for the first sample, then two for each other sample.

    The gradient itself has been compared for every choice at every sample.
    """
    for place, sample in enumerate(samples):
        every, *parts = sample.subsets()
        tried = parts if place == 0 or not parts else [parts[place % len(parts)]]
        yield from ((sample, requires) for requires in [every, *tried])


def _several(flows: Sequence[bool]) -> list[int]:
    """Return the outputs that have a gradient if there are several, else nothing."""
    outputs = [output for output, flow in enumerate(flows) if flow]
    return outputs if len(outputs) > 1 else []


def _attempt(case: Case, sample: Sample, requires: tuple[bool, ...], alone: int | None = None) -> Attempt:
    """Draw cotangents and directions; with `alone` no other output is used."""
    cotangents, seconds = case.random_cotangents(sample), case.random_directions(sample, requires)
    cotangents = [c if alone in (None, output) else None for output, c in enumerate(cotangents)]
    for_arguments, for_cotangents = sample.truth.second_vjp(requires, cotangents, seconds)
    return Attempt(case, sample, requires, cotangents, [seconds], [*for_arguments, *for_cotangents])


def _against_truth(attempts: Sequence[Attempt], answers: Sequence[HigherPullback]) -> Iterator[Finding]:
    """Yield the finding for the first attempt that fails."""
    for attempt, answer in zip(attempts, answers, strict=True):
        if answer["declared_once"]:
            if attempt.case.spec.second_order_asked:
                yield named("wrongly-once-differentiable", CHECK, None, DECLARED)
            return
        if answer["written"]:
            yield named("mutates-saved-tensor", CHECK, None, WRITTEN)
            return
        if attempt.wrong(answer):
            yield explain(CHECK, attempt, answer)
            return


def _computed_again(attempts: Sequence[Attempt]) -> Iterator[Finding]:
    """Yield a finding if backward or its derivative repeats a computation of forward.

    The calls of PyTorch's functions are recorded. Other computation, in NumPy for instance, shows in the
    values: they change when only the saved inputs are moved.
    """
    answers = attempts[0].case.ask([attempt.question("inputs moved") for attempt in attempts])
    names = sorted({name for answer in answers for name in answer["functions"]})
    if names:
        yield named(AGAIN, CHECK, None, f"backward, or its derivative, calls {' and '.join(names)}.")
        return
    for attempt, answer in zip(attempts, answers, strict=True):
        place = None if "error" in answer else attempt.first_wrong(answer)
        if place is not None:
            yield named(AGAIN, CHECK, None, MOVED)
            return


def _by_gradgradcheck(attempt: Attempt, refusal: Refusal | None) -> Iterator[Finding]:
    """Yield a finding if gradgradcheck fails entry by entry too, after it failed along directions."""
    if refusal is None:
        return
    table = gradcheck.second_order(attempt.case, attempt.sample, attempt.cotangents, fast=False)
    refusal = table.refusal(attempt.case.ask(table.questions))
    if refusal is not None:
        yield named("wrong-second-derivative", CHECK, None, f"gradgradcheck says: {refusal.message}")
