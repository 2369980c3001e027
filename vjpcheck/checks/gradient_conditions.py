"""Calls a Function under each condition of the table and compares its outputs and its gradient."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from vjpcheck.arguments import Arguments, differentiable
from vjpcheck.ask import requests
from vjpcheck.ask.protocol import Request, request
from vjpcheck.case import Arrays, Case, FurtherSample, Look, Sample, Trial
from vjpcheck.checks import conditions
from vjpcheck.checks.conditions import Comparison, Condition, Test, in_float32
from vjpcheck.errors import tell
from vjpcheck.mistakes import named
from vjpcheck.naming import from_error
from vjpcheck.naming.wrong_gradient import explain
from vjpcheck.numbers import (
    ALL_DIGITS,
    RELATIVE,
    SINGLE_PRECISION,
    arrived,
    close,
    close_in_proportion,
    is_absolute,
    near,
)
from vjpcheck.probe.function_probe import Probe
from vjpcheck.result import Finding
from vjpcheck.samples import constant_along_first_axis, equal_rows, rounded
from vjpcheck.truth.native import NativeTruth, Truth

if TYPE_CHECKING:
    from vjpcheck.ask.answers import AfterAStep, Interleaved, Layout, Pullback

CHECK = "gradient"
SIZES = (1e-30, 1e30)  # factors of the cotangents: a pullback is linear, so their size must not matter
LARGE = 1e20
EXPLAINED_AT_MOST = 400  # entries
ROUNDING = 1e-14  # the error of a difference, relative to the larger number
COPIED = "Which call copies an input that is not contiguous? Your code then writes into the copy."
OWN_MEMORY = "Which tensor do all calls write into? Each call needs a new one for what it returns."
SUBTRACTED = "Where does backward subtract two numbers that may be far larger than their difference?"

Some = Sequence[np.ndarray | None]


def before_gradcheck(case: Case) -> Iterator[Look]:
    """Yield the conditions of state, then those of precision, which would make gradcheck fail too."""
    rows = (_other_calls, _after_a_step, _with_other_constants, _in_single_precision, _hard_in_float32)
    yield from (tried.look for row in rows for tried in row(case))


def behind_gradcheck(case: Case) -> Iterator[Look]:
    """Yield the conditions of memory, then those of sizes."""
    rows = (_layouts, _one_tensor_twice, _cotangents_of_other_sizes, _further_samples)
    yield from (tried.look for row in rows for tried in row(case))
    yield _compared_once(case)


def wrong_positions(case: Case, gradients: Some, truths: Some) -> list[int]:
    """Return the positions at which a gradient differs from the truth; None stands for zeros."""
    pairs = enumerate(zip(gradients, truths, strict=True))
    return [place for place, (g, t) in pairs if t is not None and not arrived(g, t, case.spec.tolerance)]


def _tried(
    case: Case,
    condition: Condition,
    sample: Sample,
    question: Request[Any],
    cotangents: Some = (),
    truth: Callable[[Any], Truth] | None = None,
    **rest: Any,
) -> Test:
    """Return a call whose outputs and gradients must be those of the sample or of another truth."""

    def compared(answer: Any) -> Iterator[Comparison]:
        true = truth(answer) if truth else sample.truth
        for output, expected in zip(answer.get("outputs", ()), true.outputs, strict=False):
            yield Comparison("The output", output, expected)
        if "gradients" in answer:
            yield from _gradients(case, answer["gradients"], true.vjp(sample.all_required, cotangents))

    return Test(CHECK, condition, question, compared, **{"tolerance": case.spec.tolerance, **rest})


def _gradients(
    case: Case, gradients: Some, truths: Some, condition: Condition | None = None
) -> Iterator[Comparison]:
    for place, (gradient, truth) in enumerate(zip(gradients, truths, strict=True)):
        if truth is not None:
            name = case.name(place)
            yield Comparison(f"The gradient for {name}", gradient, truth, name, condition)


def _other_calls(case: Case) -> Iterator[Test]:
    """Put other calls between forward and backward, then run backward a second time."""
    for place, sample in enumerate(case.samples):
        for between in _between(case, sample, place):
            cotangents = case.random_cotangents(sample)
            yield Test(
                CHECK,
                conditions.OTHER_CALLS,
                request(Probe.interleaved, sample.arguments, between, cotangents),
                partial(_both_passes, case, sample, cotangents),
                case.spec.tolerance,
                also=partial(_overwritten, case),
            )


def _both_passes(case: Case, sample: Sample, cotangents: Arrays, answer: Interleaved) -> Iterator[Comparison]:
    truths = sample.truth.vjp(sample.all_required, cotangents)
    yield from _gradients(case, answer["first"], truths)
    yield from _gradients(case, answer["second"], truths, conditions.SECOND_PASS)


def _overwritten(case: Case, answer: Interleaved) -> Iterator[Finding]:
    names = [f"output {place}" for place in answer["outputs_overwritten"]]
    names += [f"the gradient for {case.name(place)}" for place in answer["gradients_overwritten"]]
    if names:
        message = f"A later call writes into what an earlier one has returned: {' and '.join(names)}."
        yield replace(named(conditions.STATE, CHECK, None, message), hint=OWN_MEMORY)


def _between(case: Case, sample: Sample, place: int) -> list[list[Arguments]]:
    """Return the calls to make in between: with other shapes and with the same shapes.

    The last call overwrites state, so the first sample gets both orders, and the others get one of them in
    turn. The last of the calls with other shapes has the fewest sizes in common with the sample.
    """
    others = [other.arguments for other in case.samples if other is not sample]
    others.sort(key=lambda other: -_alike(sample.arguments, other))
    orders = [[sample.others, *others], [*others, sample.others]]
    return orders if place == 0 else [orders[place % 2]]


def _alike(one: Arguments, other: Arguments) -> int:
    """Return the number of axes that have the same size in two samples."""
    return sum(
        size == its
        for a, b in zip(one, other, strict=False)
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
        for size, its in zip(a.shape, b.shape, strict=False)
    )


def _after_a_step(case: Case) -> Iterator[Test]:
    """Call twice with the same tensors, changed in place in between like an optimiser's parameters."""
    if case.spec.observe is not None:
        return
    sample = case.samples[0]
    cotangents = case.random_cotangents(sample)
    floats = [place for place, argument in enumerate(sample.arguments) if differentiable(argument)]
    tried = [floats] if len(floats) == 1 else [floats, floats[:1]]
    # a Function that has no specification may need its inputs in order
    for later in (_step(sample, turned) for turned in ([[]] if case.spec.samples is not None else tried)):
        question = request(Probe.after_a_step, sample.arguments, later, cotangents)
        truth = partial(_at, sample, later)
        yield _tried(case, conditions.A_STEP, sample, question, cotangents, truth, also=_generators_moved)


def _at(sample: Sample, arguments: Arguments, answer: Any) -> Truth:
    return sample.truth.at(arguments)


def _step(sample: Sample, turned: Sequence[int]) -> Arguments:
    """Return the arguments after a step, with the arrays at some positions reversed.

    Reversing changes what all samples share, such as a pattern of signs, and the sign of a product if one
    factor is reversed.
    """
    later = [*sample.arguments]
    for place, other in enumerate(sample.others):
        if differentiable(other):
            values = np.asarray(other)
            later[place] = np.asarray(np.flip(values)) if place in turned else values
    return tuple(later)


def _generators_moved(answer: AfterAStep) -> Iterator[Finding]:
    for owner in answer["generators"]:
        yield Finding(CHECK, f"The state of {owner}'s random number generator is different after a call.")


def _with_other_constants(case: Case) -> Iterator[Test]:
    """Call with tensors of the same shapes and other constants: a cache by shapes gives a wrong output."""
    for sample in case.samples if case.spec.observe is None else []:
        pairs = zip(sample.arguments, sample.others, strict=True)
        if any(repr(one) != repr(other) for one, other in pairs if not differentiable(one)):
            question, truth = requests.forward(sample.others), partial(_at, sample, sample.others)
            yield _tried(case, conditions.OTHER_CONSTANTS, sample, question, truth=truth)


def _in_single_precision(case: Case) -> Iterator[Test]:
    for sample in case.single_precision:
        trial = next(trial for trial in case.trials if trial.sample is sample)
        cotangents = in_float32(trial.cotangents)
        question = requests.vjp(sample.in_single_precision(), trial.requires, cotangents)
        compared = partial(_of_rounded, case, trial, cotangents)
        also = partial(_in_another_dtype, case, trial)
        yield Test(CHECK, conditions.FLOAT32, question, compared, SINGLE_PRECISION, also=also)


def _of_rounded(case: Case, trial: Trial, cotangents: Arrays, answer: Pullback) -> Iterator[Comparison]:
    """Compare with the true gradients at the inputs rounded to float32.

    Rounding makes no difference for drawn samples. Random numbers drawn in forward may depend on the dtype,
    so such gradients are not compared.
    """
    if case.spec.observe is not None:
        return
    truths = trial.truths
    if case.spec.samples is not None:
        exact = [c if c is None else c.astype(float) for c in cotangents]
        truths = trial.sample.truth.at(rounded(trial.sample.arguments)).vjp(trial.requires, exact)
    yield from _gradients(case, answer["gradients"], truths)


def _in_another_dtype(case: Case, trial: Trial, answer: Pullback) -> Iterator[Finding]:
    """Find gradients of float32 inputs in another dtype, where a specification asks for float32.

    Autograd converts them silently, so this is no mistake in a Function that has no specification.
    """
    pairs = zip(trial.requires, answer["returned"] or [], strict=False)
    for place, (flag, value) in enumerate(pairs if case.spec.samples is None else ()):
        if flag and value["dtype"] not in (None, "float32"):
            name = case.name(place)
            message = f"The gradient for {name} has dtype {value['dtype']}, but {name} has dtype float32."
            yield replace(named("wrong-dtype", CHECK, name, message), hint=conditions.DTYPE)


def _hard_in_float32(case: Case) -> Iterator[Test]:
    for label, sample, *_ in case.known.hard_in_float32:
        condition = conditions.FLOAT32._replace(clause=f"{conditions.FLOAT32.clause} {label}")
        cotangents = in_float32(case.random_cotangents(sample))
        question = requests.gradients_alone(sample.in_single_precision(), sample.all_required, cotangents)
        yield _tried(case, condition, sample, question, cotangents, tolerance=SINGLE_PRECISION)


def _layouts(case: Case) -> Iterator[Test]:
    """Try each drawn sample with other strides, and once with rows that share the memory of one row.

    PyTorch passes tensors with their strides: a transposed weight, every second row, or the expanded
    cotangent behind a `sum()`. A Function that works in place may change a copy of such an input.
    """
    *drawn, _ = case.samples
    also = partial(_not_modified, case)
    for sample in drawn:
        question, truth = requests.forward(sample.arguments, "strided"), partial(_observed, case, sample)
        yield _tried(case, conditions.STRIDED, sample, question, truth=truth, also=also)
    for sample in drawn:
        yield _laid_out(case, conditions.STRIDED, sample, case.random_cotangents(sample), "strided")
    for sample in _expanded(case):
        cotangents = case.random_cotangents(sample)
        equal = [c if c is None or c.ndim == 0 else equal_rows(c) for c in cotangents]
        yield _laid_out(case, conditions.EXPANDED, sample, equal, "expanded")


def _laid_out(case: Case, condition: Condition, sample: Sample, cotangents: Arrays, layout: Layout) -> Test:
    question = requests.vjp(sample.arguments, sample.all_required, cotangents, layout=layout)
    return _tried(case, condition, sample, question, cotangents, partial(_observed, case, sample))


def _not_modified(case: Case, answer: Any) -> Iterator[Finding]:
    for name in case.spec.modifies:
        if case.spec.parameters.index(name) not in answer["changed"]:
            message = f"forward does not change {name} itself {conditions.STRIDED.clause}."
            yield Finding(CHECK, message, conditions.LAYOUT, name, COPIED)


def _observed(case: Case, sample: Sample, answer: Any) -> Truth:
    """Return the truth with the random numbers of this call, read off its outputs or gradients.

    Random numbers drawn in forward may depend on the memory layout. If all entries of the first sample are 0,
    its own truth is returned: it has too many entries to be dropped by chance.
    """
    arrays = [a for a in answer.get("outputs", answer.get("gradients")) if a is not None]
    if case.spec.observe is None or (sample is case.samples[0] and not any(a.any() for a in arrays)):
        return sample.truth
    return NativeTruth(case.spec.library, case.spec.forward, case.spec.observe(sample.arguments, arrays))


def _expanded(case: Case) -> Iterator[Sample]:
    """Yield a sample with equal rows; if entries must differ, only the cotangents have equal rows."""
    first = case.samples[0]
    if case.spec.observe is not None:
        return  # the truth is read off the outputs
    if any(array.distinct for array in case.spec.domain.arrays):
        yield first
        return
    arguments = tuple(constant_along_first_axis(first.arguments))
    yield Sample(arguments, first.truth.at(arguments), first.others)


def _one_tensor_twice(case: Case) -> Iterator[Test]:
    """Pass one tensor for several arguments, as in x * x.

    The engine then adds the gradients that backward returns for each of them.
    """
    if case.known.one_tensor_twice is None:
        return
    same, sample = case.known.one_tensor_twice
    requires, cotangents = sample.all_required, case.random_cotangents(sample)
    *others, last = [case.name(place) for place in same]

    def compared(answer: Any) -> Iterator[Comparison]:
        truths = sample.truth.vjp(requires, cotangents)
        whole = np.sum([cast(np.ndarray, truths[place]) for place in same], axis=0)
        expected = [whole if place in same else truth for place, truth in enumerate(truths)]
        yield from _gradients(case, answer["gradients"], expected)

    condition = _about(conditions.ONE_TENSOR, f"{', '.join(others)} and {last}")
    question = requests.gradients_alone(sample.arguments, requires, cotangents, same)
    yield Test(CHECK, condition, question, compared, case.spec.tolerance)


def _about(condition: Condition, what: str) -> Condition:
    return condition._replace(clause=condition.clause.format(what))


def _cotangents_of_other_sizes(case: Case) -> Iterator[Test]:
    """Multiply the cotangents by a factor, and set one of their entries to a large number.

    An iteration that stops at small changes may be wrong by the tolerance at any size, so it is not checked.
    """
    trial = next(trial for trial in case.trials if trial.complete)
    condition = conditions.SIZE_OF_COTANGENT
    if case.spec.pullback is not None:  # a chosen gradient need not be linear
        condition = condition._replace(mistake=None)
    for size in SIZES if case.spec.tolerance <= RELATIVE and not is_absolute() else ():
        cotangents = [None if c is None else c * size for c in trial.cotangents]
        about = _about(condition, f"cotangents {size:g} times as large")
        yield _of_numbers(case, about, trial.sample, cotangents, agree=close_in_proportion)
    # where all digits are asked for, no entry of the gradient depends on another entry of the cotangent
    for place in (0, -1) if case.spec.tolerance <= ALL_DIGITS else ():
        uneven = [None if c is None else _with_one_large(c, place) for c in trial.cotangents]
        about = _about(condition, f"a cotangent with one entry of {LARGE:g}")
        yield _of_numbers(case, about, trial.sample, uneven, agree=_entry_by_entry)


def _with_one_large(cotangent: np.ndarray, place: int) -> np.ndarray:
    uneven = cotangent.copy()
    uneven.flat[place] = LARGE
    return uneven


def _entry_by_entry(gradient: np.ndarray, truth: np.ndarray, relative: float) -> bool:
    return near(gradient, truth, 1e-6, 1e-12)  # a sum of ordinary numbers may cancel by some digits


def _further_samples(case: Case) -> Iterator[Test]:
    """Pass larger, smaller and zero inputs: they must not meet limits that the formula does not have."""
    for label, sample, small, hint in case.known.further_samples:
        cotangents = case.random_cotangents(sample)
        if sample.entries > EXPLAINED_AT_MOST:  # a name for so many entries would take minutes and be wrong
            about = _about(conditions.OTHER_SHAPE, label)._replace(hint=hint)
            yield _of_numbers(case, about, sample, cotangents)
        elif not hint:
            zeros = any(isinstance(a, np.ndarray) and not a.any() for a in sample.arguments)
            about = _about(conditions.ZEROS if zeros else conditions.SIZE_OF_INPUT, label)
            yield _of_numbers(case, about, sample, cotangents, agree=close_in_proportion if small else close)


def _of_numbers(case: Case, condition: Condition, sample: Sample, cotangents: Some, **rest: Any) -> Test:
    """Return a call whose gradient is first checked to be finite and precise."""
    largest = max((float(np.abs(c).max(initial=0.0)) for c in cotangents if c is not None), default=0.0)

    def cause(gradient: np.ndarray, truth: np.ndarray) -> tuple[str | None, str]:
        if not np.isfinite(gradient).all():
            return "not-finite", ""
        if near(gradient, truth, 0.0, ROUNDING * largest):
            return "not-precise", SUBTRACTED
        mistake = condition.mistake
        return mistake(gradient, truth) if callable(mistake) else (mistake, "")

    question = requests.gradients_alone(sample.arguments, sample.all_required, cotangents)
    return _tried(case, condition._replace(mistake=cause), sample, question, cotangents, **rest)


def _compared_once(case: Case) -> Look:
    """Check the samples of `Domain.once`, and explain the first wrong gradient."""
    further = (o for o in case.known.further_samples if o.hint and o.sample.entries <= EXPLAINED_AT_MOST)
    tried = [(other, case.random_cotangents(other.sample)) for other in further]

    def read(answers: Sequence[Pullback]) -> Iterator[Finding]:
        findings = ([*_explained(case, *one, answer)] for one, answer in zip(tried, answers, strict=True))
        yield from next(filter(None, findings), [])

    return Look(
        [requests.vjp(o.sample.arguments, o.sample.all_required, cotangents) for o, cotangents in tried], read
    )


def _explained(case: Case, other: FurtherSample, cotangents: Arrays, answer: Pullback) -> Iterator[Finding]:
    if "error" in answer:
        finding = from_error.finding(CHECK, answer["error"], answer["saves"], other.sample)
        message = tell(answer["error"], f"For {other.label}, ")
        yield replace(finding, message=message, hint=finding.hint or other.hint)
        return
    trial = Trial(other.sample, other.sample.all_required, cotangents, answer)
    wrong = [(trial, place) for place in wrong_positions(case, answer["gradients"], trial.truths)]
    among_others = copy(case)
    among_others.trials = [trial, *case.trials]
    for finding in explain(among_others, wrong) if wrong else ():
        message = f"For {other.label}: {finding.message}"
        yield replace(finding, message=message, hint=finding.hint if finding.mistake else other.hint)
