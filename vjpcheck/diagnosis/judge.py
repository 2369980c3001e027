"""Inspects a Function, makes a specification for it, and judges it by that specification."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from vjpcheck.arguments import Argument, Arguments, differentiable, floating
from vjpcheck.ask import requests
from vjpcheck.ask.answers import Forward
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.diagnosis.inputs import refuse_without_gradient
from vjpcheck.diagnosis.options import Options
from vjpcheck.diagnosis.probe import Probe
from vjpcheck.diagnosis.refusals import at_a_kink, parameters_of, refuse_outputs, refuse_size, shapes_of
from vjpcheck.diagnosis.samples import entries, narrower, rounded, samples
from vjpcheck.diagnosis.work import OF_A_CALL, SEED, KnownSample, OpenProbe, Reference, Work, subject_of
from vjpcheck.errors import StudentError
from vjpcheck.mistakes import named
from vjpcheck.numbers import SINGLE, SINGLE_PRECISION, close, furthest, precision
from vjpcheck.remarks import never_ran
from vjpcheck.render.display import ShownResult
from vjpcheck.result import CannotRun, Finding, Outcome, Result
from vjpcheck.truth.differences import Differences, Doubt
from vjpcheck.truth.native import Truth

MEASURED = "Compared with central differences of forward; forward itself is not checked."
BY_LIKE = "Compared with autograd through like."
BY_BACKWARD_LIKE = "Compared with backward_like; no second derivative is checked."
ONLY_ONCE = "like cannot be differentiated twice, so second order is not checked."
ELSEWHERE = (
    "For your inputs everything is right. The findings are for inputs that are 0.8 to 1.2 times as large, or "
    "of another shape: does forward accept them?"
)
MEANT = (
    "If the gradient is meant to be no derivative, say which it is: like=lambda x: soft(x) + (hard(x) - "
    "soft(x)).detach() has the gradient of soft, and backward_like=lambda cotangents, inputs: … returns any."
)
# what straight-through and surrogate gradients, reversed and clipped ones are taken for
OFTEN_MEANT = {
    "cotangent-passed-on",
    "derivative-of-another-function",
    "extra-factor",
    "gradient-nonlinear",
    "mask-on-gradient",
    "missing-mask",
    "wrong-factor",
    "wrong-mask",
    "wrong-sign",
}
NO_FLOAT32 = "float32 was not tried: forward raises {} there ({})."
A_CONSTANT = "If {} is a constant, let the other inputs require grad, and not this one."
# behind these errors the checks go on
HIDING = {"mutates-input", "wrong-dtype"}
NEAR = 1e-6  # how far on both sides the gradient of a reference is looked at, and by how much it then jumps
JUMP = 1e-3


def judged(
    name: str,
    arguments: Arguments,
    open_probe: OpenProbe,
    reference: Reference | None,
    options: Options,
    chosen: bool = False,
) -> Result:
    """Judge work of this name on these arguments and on similar ones.

    The truth comes from the reference or, without one, from central differences. With `chosen` the reference
    chooses the gradient. Raises CannotRun with one sentence if the work cannot be judged.
    """
    start = time.perf_counter()
    probe = open_probe(subject_of(name, (), options))
    is_function, further, signature, declared = (
        probe.call(Probe.is_function),
        probe.call(Probe.parameters),
        probe.call(Probe.signature),
        probe.call(Probe.declared),
    )
    arguments = (*arguments, *further.values())
    refuse_without_gradient(arguments)
    arguments = rounded(arguments, options.dtype)
    parameters = parameters_of(name, signature, len(arguments), [*further])
    first, again = probe.ask([requests.forward(arguments)] * 2)
    if "error" in first and "error" in again and options.dtype == "float64":
        narrow = narrower(open_probe, name, arguments, options)
        if narrow is not None:
            own = arguments[: len(arguments) - len(further)]
            result = judged(name, own, open_probe, reference, narrow, chosen)
            why = f"forward takes no float64, so it was given {narrow.dtype}."
            return replace(result, truth=f"{why} {result.truth}")
    work = Work(name, probe, options, reference, chosen, Differences(probe.ask), is_function)
    work.parameters, work.has_jvp = parameters, declared["jvp"]
    work.tolerance = options.tolerance(reference is not None)
    with precision(work.tolerance, options.atol):
        refuse_outputs(first, again)
    refuse_size(entries(arguments), sum(output.size for output in first["outputs"]), reference is not None)
    _choose_dtypes(work, arguments, first)
    work.modifies = sorted(set(first["changed"]))
    if work.modifies:
        work.probe = open_probe(subject_of(name, work.modifies, options))
    work.differences = Differences(_exact(work, arguments, open_probe).ask)
    known = samples(work, arguments, first, np.random.default_rng(SEED))
    twice = reference is None or (not chosen and _differentiable_twice(known[-1][1]))
    checks = work.checks(twice)
    outcomes = _judged_behind(work, known, checks)
    own_shapes = [sample for sample in known if shapes_of(sample[0]) == shapes_of(arguments)]
    if [*_errors(outcomes)] and len(own_shapes) < len(known):  # what is wrong at the user's own comes first
        at_own = _judged_behind(work, own_shapes, checks)
        outcomes = at_own if [*_errors(at_own)] else tuple(map(_of_other_shapes, outcomes))
    _refuse_kink(outcomes, work, arguments)
    truth = [MEASURED if reference is None else BY_BACKWARD_LIKE if chosen else BY_LIKE]
    truth += [] if twice or chosen else [ONLY_ONCE]
    truth += [*work.notes, *_constants(arguments, parameters), *_tried(known)]
    truth += [*_without_effect(work, known), *_what_may_be_meant(work, outcomes)]
    if [*_errors(outcomes)] and len(known) > 1:
        inputs, true, _ = known[-1]
        alone = _judged_behind(work, [(inputs, true, inputs)], checks)
        truth += [] if [*_errors(alone)] else [ELSEWHERE]
    outcomes = (*outcomes, *_of_operator(work, arguments), *_of_transforms(work, known[-1], open_probe))
    result = ShownResult(name, dict.fromkeys([o.check for o in outcomes], 0), outcomes, 0.0)
    ran = never_ran(work.probe, outcomes)
    return replace(result, truth=" ".join(truth), never_ran=ran, seconds=time.perf_counter() - start)


def _choose_dtypes(work: Work, arguments: Arguments, usual: Forward) -> None:
    """Try float32 too, unless forward raises there, as it does with a constant of float64."""
    work.dtypes = work.options.dtypes
    if len(work.dtypes) == 1:
        return
    single = [a.astype(np.float32) if isinstance(a, np.ndarray) and floating(a) else a for a in arguments]
    answer = work.probe.ask_one(requests.forward(single))
    if "error" in answer and "error" not in usual:
        error: StudentError = answer["error"]
        work.dtypes = work.dtypes[:1]
        work.notes.append(NO_FLOAT32.format(error["type"], error["message"].rstrip(".")))


def _exact(work: Work, arguments: Arguments, open_probe: OpenProbe) -> ProbeClient:
    """Return the probe whose forward is differenced: in float64 where that is possible."""
    if work.options.dtype == "float64":
        return work.probe
    exact = open_probe(subject_of(work.name, work.modifies, work.options, exact=True))
    return work.probe if "error" in exact.ask_one(requests.forward(arguments)) else exact


def _of_other_shapes(outcome: Outcome) -> Outcome:
    """Return what was found at other shapes alone; a second derivative there is a warning at most."""
    if outcome.check != "second order":
        return outcome
    return replace(outcome, findings=tuple(replace(finding, warning=True) for finding in outcome.findings))


def _without_effect(work: Work, samples: Sequence[KnownSample]) -> Iterator[str]:
    """Yield a sentence about the inputs whose derivative is 0 in all samples: their gradient says little."""
    generator = np.random.default_rng(SEED)
    affects: set[int] = set()
    for arguments, truth, _ in samples:
        outputs = truth.differentiable_outputs
        cotangents = [None if y is None else generator.normal(size=y.shape) for y in outputs]
        gradients = truth.vjp([differentiable(a) for a in arguments], cotangents)
        affects |= {p for p, gradient in enumerate(gradients) if gradient is not None and gradient.any()}
    places = [p for p, a in enumerate(samples[-1][0]) if differentiable(a) and np.size(np.asarray(a))]
    none = [work.parameters[place] for place in places if place not in affects]
    if none:
        yield f"The derivative for {' and '.join(none)} is 0 wherever it was tried."


def _what_may_be_meant(work: Work, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield what to write if a wrong gradient is meant as it is."""
    wrong = [finding for finding in _errors(outcomes) if finding.check == "gradient"]
    if work.reference is None and any(map(_may_be_meant, wrong)):
        yield MEANT
    missing = [finding.input for finding in wrong if finding.mistake == "missing-gradient"]
    if missing:
        yield A_CONSTANT.format(missing[0])


def _judged_behind(work: Work, samples: Sequence[KnownSample], checks: Sequence[str]) -> tuple[Outcome, ...]:
    """Judge the work; where a finding would hide others, judge once more what stands behind it.

    Autograd through a reference is not always right to all digits, and neither are constants that somebody
    wrote with eight: what is right to six digits is a warning.
    """
    harmless = work.options.harmless
    outcomes = work.judged(samples, checks, work.tolerance, harmless)
    errors = [*_errors(outcomes)]
    if not errors or work.options.dtype != "float64":
        return outcomes
    hiding = HIDING & {finding.mistake for outcome in outcomes for finding in outcome.findings}
    if hiding:
        tolerance = SINGLE_PRECISION if "wrong-dtype" in hiding else work.tolerance
        behind = work.judged(samples, checks, tolerance, harmless | hiding)
        return tuple(replace(o, findings=tuple(_weighed(f, harmless) for f in o.findings)) for o in behind)
    if work.tolerance < SINGLE and work.options.rtol is None:
        loose = work.judged(samples, checks, SINGLE, harmless)
        first = errors[0]
        if not [*_errors(loose)] or (first.check, first.mistake) == ("forward", "not-precise"):
            message = f"This agrees with like to six digits, and not to all: {first.message}"
            note = replace(named("not-precise", first.check, first.input, message), warning=True)
            return tuple(
                replace(o, findings=(note, *o.findings)) if o.check == note.check else o for o in loose
            )
    return outcomes


def _errors(outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    yield from (finding for outcome in outcomes for finding in outcome.findings if not finding.warning)


def _may_be_meant(finding: Finding) -> bool:
    """Return whether a gradient may differ from the derivative on purpose, as that of a rounding does."""
    constant = finding.numbers is not None and not finding.numbers.true.any()
    return constant or finding.mistake in OFTEN_MEANT


def _weighed(finding: Finding, harmless: frozenset[str]) -> Finding:
    """Return a finding, as an error if it is one of those behind which the checks went on."""
    return replace(finding, warning=finding.mistake in harmless) if finding.mistake in HIDING else finding


def _of_operator(work: Work, arguments: Arguments) -> list[Outcome]:
    """Return the outcome of torch.library.opcheck for a custom operator: it checks its registration."""
    if work.is_function:
        return []
    objections = work.probe.call(Probe.opcheck, arguments)
    if objections is None:
        return []
    findings = tuple(
        Finding("opcheck", f"torch.library.opcheck fails in {test}: {message}")
        for test, message in objections.items()
    )
    return [Outcome("opcheck", findings)]


def _of_transforms(work: Work, sample: KnownSample, open_probe: OpenProbe) -> Iterator[Outcome]:
    """Yield the outcome of a call through each transform that is asked for: nothing may change."""
    for under in work.options.under:
        probe = open_probe(subject_of(work.name, work.modifies, work.options, under=under))
        through = replace(work, probe=probe, is_function=False, has_jvp=False)
        outcomes = through.judged([sample], OF_A_CALL[:2], work.tolerance, work.options.harmless)
        name = f"torch.{under}"
        yield Outcome(name, tuple(replace(f, check=name) for o in outcomes for f in o.findings))


def _tried(samples: Sequence[KnownSample]) -> list[str]:
    """Return a sentence about the other shapes that were tried."""
    own = shapes_of(samples[-1][0])
    others = [shapes for arguments, *_ in samples if (shapes := shapes_of(arguments)) != own]
    listed = [" and ".join(map(str, shapes)) for shapes in others]
    return [f"Also tried with shapes {'; '.join(dict.fromkeys(listed))}."] if listed else []


def _constants(arguments: Arguments, parameters: Sequence[str]) -> list[str]:
    """Return a sentence about the tensors of floats that do not require grad although others do."""
    fixed = [
        name
        for name, argument in zip(parameters, arguments, strict=True)
        if floating(argument) and not differentiable(argument) and np.size(cast(np.ndarray, argument))
    ]
    if not fixed:
        return []
    verb = "does" if len(fixed) == 1 else "do"
    return [
        f"{' and '.join(fixed)} {verb} not require grad and other inputs do: no gradient is checked there."
    ]


def _differentiable_twice(truth: Truth) -> bool:
    """Return whether autograd can differentiate the reference twice, which a few operations prevent."""
    requires = [differentiable(argument) for argument in truth.arguments]
    ones = [None if output is None else np.ones(output.shape) for output in truth.differentiable_outputs]
    along = [
        np.ones(np.shape(np.asarray(a))) if f else None
        for a, f in zip(truth.arguments, requires, strict=True)
    ]
    try:
        truth.second_vjp(requires, ones, along)
    except (CannotRun, RuntimeError):
        return False
    return True


def _refuse_kink(outcomes: Sequence[Outcome], work: Work, arguments: Arguments) -> None:
    """Raise CannotRun for a wrong gradient at a kink of the reference, where more than one may be right.

    There the gradient of the reference itself jumps. A forward with steps is no reason to refuse: the
    reference says which gradient is meant.
    """
    wrong = any(finding.check == "gradient" for finding in _errors(outcomes))
    if work.chosen or not wrong or work.reference is None:
        return
    generator = np.random.default_rng(SEED)
    truth = work.reference(arguments)
    cotangents = [None if y is None else generator.normal(size=y.shape) for y in truth.differentiable_outputs]
    requires = [differentiable(argument) for argument in arguments]
    here = truth.vjp(requires, cotangents)
    for sign in (NEAR, -NEAR):
        try:
            there = work.reference(tuple(_shifted(a, sign) for a in arguments)).vjp(requires, cotangents)
        except CannotRun:
            continue
        for position, (one, other) in enumerate(zip(here, there, strict=True)):
            if one is not None and other is not None and not close(one, other, JUMP):
                entry = furthest(one, other)
                problem = "the gradient differs from that of like, but both may be right"
                raise CannotRun(at_a_kink(arguments, work.parameters, Doubt(position, entry), problem))


def _shifted(argument: Argument, by: float) -> Argument:
    if not isinstance(argument, np.ndarray) or not differentiable(argument):
        return argument
    return np.asarray(argument + by * np.maximum(1.0, np.abs(argument)))
