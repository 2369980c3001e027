"""Checks that calls of the Function are independent and that its graph can be used twice.

Part of the gradient's points: a gradient that is right only if nothing else is called is not right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vjpcheck.arguments import Arguments, differentiable
from vjpcheck.ask import requests
from vjpcheck.case import Arrays, Case, Look, Sample
from vjpcheck.errors import StudentError, says_what_is_missing, tell
from vjpcheck.mistakes import named
from vjpcheck.numbers import arrived
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

if TYPE_CHECKING:
    from vjpcheck.ask.answers import AfterAStep, Forward, Interleaved

CHECK = "gradient"


def look(case: Case) -> Look:
    """Put another call between forward and backward, then run backward a second time."""
    tried = [
        (sample, between, case.random_cotangents(sample))
        for place, sample in enumerate(case.samples)
        for between in _between(case, sample, place)
    ]
    questions = [requests.interleaved(sample.arguments, between, given) for sample, between, given in tried]

    def read(answers: Sequence[Interleaved]) -> Iterator[Finding]:
        pairs = zip(tried, answers, strict=True)
        found = [_interleaved(case, sample, given, answer) for (sample, _, given), answer in pairs]
        yield from sorted(filter(None, found), key=lambda finding: finding.mistake is None)[:1]

    return Look(questions, read)


def _interleaved(case: Case, sample: Sample, given: Arrays, answer: Interleaved) -> Finding | None:
    if "error" in answer:
        return _error(answer["error"])
    if overwritten := _overwritten(case, answer):
        return overwritten
    truths = sample.truth.vjp(sample.all_required, given)
    if wrong := wrong_positions(case, answer["first"], truths):
        return _shared(case, sample, wrong[0])
    if wrong_positions(case, answer["second"], truths):
        message = "A second backward pass over the same graph gives a different gradient."
        return Finding(CHECK, message, "mutates-saved-tensor", None, _HINT)
    return None


def _overwritten(case: Case, answer: Interleaved) -> Finding | None:
    """Return the finding for a result whose memory a later call writes into."""
    names = [f"output {place}" for place in answer["outputs_overwritten"]]
    names += [f"the gradient for {case.name(place)}" for place in answer["gradients_overwritten"]]
    if not names:
        return None
    told = f"A later call writes into what an earlier one has returned: {' and '.join(names)}."
    return replace(named("state-on-class", CHECK, None, told), hint=_OWN_MEMORY)


def with_other_constants(case: Case) -> Iterator[Look]:
    """Call with tensors of the same shapes and other numbers, axes or indices: a cache by shapes is wrong."""
    tried = [] if case.spec.observe is not None else [s for s in case.samples if _other_constants(s)]

    def read(answers: Sequence[Forward]) -> Iterator[Finding]:
        for sample, answer in zip(tried, answers, strict=True):
            if "error" in answer:
                yield Finding(CHECK, tell(answer["error"], f"{_AGAIN} "), hint=_BY_SHAPES)
                return
            pairs = zip(answer["outputs"], sample.truth.at(sample.others).outputs, strict=False)
            if any(not arrived(found, true, case.spec.tolerance) for found, true in pairs):
                message = f"{_AGAIN} the output is wrong."
                yield replace(named("state-on-class", CHECK, None, message), hint=_BY_SHAPES)
                return

    if tried:
        yield Look([requests.forward(sample.others) for sample in tried], read)


def _other_constants(sample: Sample) -> bool:
    pairs = zip(sample.arguments, sample.others, strict=True)
    return any(repr(one) != repr(other) for one, other in pairs if not differentiable(one))


def after_a_step(case: Case) -> Iterator[Look]:
    """Call twice with the same tensors, which are changed in between as an optimiser changes parameters."""
    sample = case.samples[0]
    if case.spec.observe is not None:
        return
    given = case.random_cotangents(sample)
    floats = [place for place, argument in enumerate(sample.arguments) if differentiable(argument)]
    tried = [floats] if len(floats) == 1 else [floats, floats[:1]]
    if case.spec.given is not None:  # whose inputs may have to keep an order
        tried = [[]]
    steps = [_step(sample, turned) for turned in tried]

    def read(answers: Sequence[AfterAStep]) -> Iterator[Finding]:
        for later, answer in zip(steps, answers, strict=True):
            yield from _after(case, sample, later, given, answer)

    yield Look([requests.after_a_step(sample.arguments, later, given) for later in steps], read)


def _step(sample: Sample, turned: Sequence[int]) -> Arguments:
    """Return what the tensors hold after a step, those at some positions turned round.

    What all samples share, a pattern of signs for instance, is another one then. So is the sign of a product
    where one of its factors is turned round.
    """
    later = [*sample.arguments]
    for place, other in enumerate(sample.others):
        if differentiable(other):
            values = np.asarray(other)
            later[place] = np.asarray(np.flip(values)) if place in turned else values
    return tuple(later)


def _after(
    case: Case, sample: Sample, later: Arguments, given: Arrays, answer: AfterAStep
) -> Iterator[Finding]:
    for owner in answer["generators"]:
        yield Finding(CHECK, f"The state of {owner}'s random number generator is different after a call.")
    told = "In a second call with the same tensors, whose values were changed in place,"
    if "error" in answer:
        yield Finding(CHECK, tell(answer["error"], f"{told} "), hint=_STORED)
        return
    truth = sample.truth.at(later)
    outputs = zip(answer["outputs"], truth.outputs, strict=False)  # further outputs are allowed
    if any(not arrived(found, true, case.spec.tolerance) for found, true in outputs):
        yield replace(named("state-on-class", CHECK, None, f"{told} the output is wrong."), hint=_STORED)
    elif wrong := wrong_positions(case, answer["gradients"], truth.vjp(sample.all_required, given)):
        name = case.name(wrong[0])
        message = f"{told} the gradient for {name} is wrong."
        yield replace(named("state-on-class", CHECK, name, message), hint=_STORED)


def _between(case: Case, sample: Sample, place: int) -> list[list[Arguments]]:
    """Return calls with other shapes and one with the same: the last one overwrites state.

    Both orders for the first sample, one or the other, in turn, for those behind it. Of the others, the last
    has the fewest sizes in common with the sample.
    """
    others = [other.arguments for other in case.samples if other is not sample]
    others.sort(key=lambda other: -_alike(sample.arguments, other))
    orders = [[sample.others, *others], [*others, sample.others]]
    return orders if place == 0 else [orders[place % 2]]


def _alike(one: Arguments, other: Arguments) -> int:
    """Return how many sizes of axes two samples have in common, by the places of the axes."""
    return sum(
        size == its
        for a, b in zip(one, other, strict=False)
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
        for size, its in zip(a.shape, b.shape, strict=False)
    )


_AGAIN = "After a call, in another one with tensors of the same shapes and other arguments beside them,"
_BY_SHAPES = "Which value do you store for tensors of a shape? It may depend on the other arguments too."
_OWN_MEMORY = "Which tensor do all calls write into? Each call needs a new one for what it returns."
_STORED = (
    "Which value do you store under a tensor, or under its id? The tensor stays the same, its values do not."
)
_HINT = "What did the first backward change on ctx or in a saved tensor?"


def _shared(case: Case, sample: Sample, position: int) -> Finding:
    name = case.name(position)
    message = f"The gradient for {name} is wrong if another call happens between forward and backward."
    return named("state-on-class", CHECK, name, message)


def _error(error: StudentError) -> Finding:
    if Message.SAVED_AND_OVERWRITTEN.find(error["message"]):
        return named("mutates-saved-tensor", CHECK, None, tell(error))
    if "second backward" in error["during"]:
        gone = says_what_is_missing(error) or "None" in error["message"]
        return named("deletes-context-state" if gone else None, CHECK, None, tell(error))
    if error["during"].startswith("backward"):  # the same backward, with no call in between, was right
        return named("state-on-class", CHECK, None, tell(error))
    return Finding(CHECK, tell(error))


def wrong_positions(
    case: Case, found: Sequence[np.ndarray | None], truths: Sequence[np.ndarray | None]
) -> list[int]:
    """Return the positions at which a gradient differs from the truth; None stands for zeros."""
    return [
        position
        for position, (gradient, truth) in enumerate(zip(found, truths, strict=True))
        if truth is not None and not arrived(gradient, truth, case.spec.tolerance)
    ]
