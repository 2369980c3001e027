"""Inspects a Function, makes a specification for it, and judges it by that specification."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from vjpcheck import judge
from vjpcheck.arguments import Arguments, differentiable, floating
from vjpcheck.ask import requests
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.diagnosis.inputs import refuse_without_gradient
from vjpcheck.diagnosis.options import DTYPES, TOLERANCES, Options
from vjpcheck.diagnosis.probe import Probe
from vjpcheck.diagnosis.refusals import (
    at_a_kink,
    measurable,
    parameters_of,
    refuse_outputs,
    refuse_reference,
    refuse_size,
    shapes_of,
)
from vjpcheck.diagnosis.variants import in_other_shapes, moved, rolled_on, variant
from vjpcheck.domain import ANY, Array, Domain
from vjpcheck.mistakes import named
from vjpcheck.numbers import SINGLE, SINGLE_PRECISION, precision
from vjpcheck.probes import Subject
from vjpcheck.remarks import never_ran
from vjpcheck.render.display import ShownResult
from vjpcheck.result import CannotRun, Finding, Outcome, Result
from vjpcheck.spec import Spec
from vjpcheck.truth.differences import ACCEPTED, Differences, TruthByDifferences
from vjpcheck.truth.native import Truth

SEED = 0  # every call uses the same numbers
CHECKS = ("forward", "contract", "gradient", "second order", "frozen inputs")
OF_A_CALL = ("forward", "gradient", "second order")  # of work whose backward is not seen
MEASURED = "Compared with central differences of forward; forward itself is not checked."
BY_LIKE = "Compared with autograd through like."
BY_BACKWARD_LIKE = "Compared with backward_like; no second derivative is checked."
ONLY_ONCE = "like cannot be differentiated twice, so second order is not checked."
ELSEWHERE = (
    "For your inputs everything is right. The findings are for inputs that are 0.8 to 1.2 times as large, or "
    "of another shape: does forward accept them?"
)
NO_KINK = "Your inputs are at or near a kink of forward, so they were moved away from it by up to 0.2."
FEW_DIGITS = "forward computes with the digits of float32, so the gradient is compared to three digits."
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
VARIANTS = 2  # samples in addition to the user's inputs
MOVES = 4  # tries to leave a kink
FEW = 1e-3  # the tolerance for differences of a forward that computes with the digits of float32
SMALL = 2_000  # numbers of a Jacobian in another shape

Reference = Callable[[Arguments], Truth]  # raises CannotRun where the reference raises
OpenProbe = Callable[[Subject], ProbeClient]


@dataclass
class _Work:
    """The work under diagnosis: its probe, the names of its arguments, and what was noted about it."""

    name: str
    probe: ProbeClient
    options: Options
    reference: Reference | None
    chosen: bool  # whether the reference chooses the gradient
    differences: Differences
    is_function: bool = True
    has_jvp: bool = False
    parameters: list[str] = field(default_factory=list)
    modifies: list[int] = field(default_factory=list)
    tolerance: float = ACCEPTED
    notes: list[str] = field(default_factory=list)

    def accepted(self, drawn: Sequence[Arguments]) -> list[Arguments]:
        """Return the arguments for which forward does not raise and returns finite numbers."""
        answers = self.probe.ask([requests.forward(arguments) for arguments in drawn])
        return [
            arguments
            for arguments, answer in zip(drawn, answers, strict=True)
            if "error" not in answer and all(np.isfinite(output).all() for output in answer["outputs"])
        ]

    def truth(self, arguments: Arguments) -> Truth | None:
        """Return the truth about a variant of the inputs; None if the variant is not suitable."""
        if self.reference is None:
            measured = self.differences.at(arguments)
            return measured if measured.doubt is None else None
        try:
            truth = self.reference(arguments)
        except CannotRun:
            return None
        return truth if all(np.isfinite(output).all() for output in truth.outputs) else None

    def checks(self, twice: bool) -> list[str]:
        """Return the names of the checks that apply."""
        checks = [*(CHECKS if self.is_function else OF_A_CALL), *(["forward mode"] if self.has_jvp else [])]
        if not twice or self.chosen:
            checks.remove("second order")
        return checks

    def judged(
        self,
        samples: Sequence[tuple[Arguments, Truth, Arguments]],
        checks: Sequence[str],
        tolerance: float,
        harmless: frozenset[str],
    ) -> tuple[Outcome, ...]:
        """Judge by these samples, within a tolerance that bounds the error of the truth itself.

        The domain of its inputs is unknown, so no further samples are drawn.
        """
        spec = Spec(
            domain=Domain({name: Array(ANY, distinct=True, scales=()) for name in self.parameters}),
            forward=_unused,
            small=samples[-1][0],
            samples=samples,
            pullback=_unused if self.chosen else None,
            modifies=tuple(self.parameters[position] for position in self.modifies),
            may_use=("autograd",),
            dtypes=self.options.dtypes,
            tolerance=tolerance,
            second_order_tolerance=tolerance,
            harmless=harmless,
        )
        with precision(tolerance, self.options.atol):
            return tuple(judge.judge(spec, self.name, checks, self.probe, SEED))


def _unused(*arguments: Any) -> Any:
    raise AssertionError("the specification has the truth of each sample")


def subject_of(
    name: str, modifies: Sequence[int], options: Options, exact: bool = False, under: str = ""
) -> Subject:
    """Return the subject of a probe for any work; `exact` is in float64, whatever dtype is asked for."""
    return Subject(name, Probe.__module__, modifies, options.world(exact, under))


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
    arguments = _rounded(arguments, options.dtype)
    parameters = parameters_of(name, signature, len(arguments), [*further])
    first, again = probe.ask([requests.forward(arguments)] * 2)
    if "error" in first and "error" in again and options.dtype == "float64":
        narrower = _narrower(open_probe, name, arguments, options)
        if narrower is not None:
            result = judged(
                name, arguments[: len(arguments) - len(further)], open_probe, reference, narrower, chosen
            )
            return replace(
                result, truth=f"forward takes no float64, so it was given {narrower.dtype}. {result.truth}"
            )
    work = _Work(name, probe, options, reference, chosen, Differences(probe.ask), is_function)
    work.parameters, work.has_jvp = parameters, declared["jvp"]
    work.tolerance = options.tolerance(reference is not None)
    with precision(work.tolerance, options.atol):
        refuse_outputs(first, again)
    entries, outputs = _entries(arguments), sum(output.size for output in first["outputs"])
    refuse_size(entries, outputs, reference is not None)
    work.modifies = sorted(set(first["changed"]))
    if work.modifies:
        work.probe = open_probe(subject_of(name, work.modifies, options))
    exact = (
        open_probe(subject_of(name, work.modifies, options, exact=True))
        if options.dtype != "float64"
        else None
    )
    if exact is None or "error" in exact.ask_one(requests.forward(arguments)):
        exact = work.probe
    work.differences = Differences(exact.ask)
    generator = np.random.default_rng(SEED)
    samples = _samples(work, arguments, first, generator)
    twice = reference is None or (not chosen and _differentiable_twice(samples[-1][1]))
    outcomes = _judged_twice(work, samples, work.checks(twice))
    own = [sample for sample in samples if shapes_of(sample[0]) == shapes_of(arguments)]
    if [*_errors(outcomes)] and len(own) < len(samples):  # what is wrong at the user's own shapes comes first
        at_own = _judged_twice(work, own, work.checks(twice))
        outcomes = at_own if [*_errors(at_own)] else outcomes
    if reference is not None and measurable(entries, outputs):
        _refuse_kink(outcomes, work, arguments)
    truth = [MEASURED if reference is None else BY_BACKWARD_LIKE if chosen else BY_LIKE]
    truth += [] if twice or chosen else [ONLY_ONCE]
    truth += [*work.notes, *_constants(arguments, parameters), *_tried(samples)]
    wrong = [finding for finding in _errors(outcomes) if finding.check == "gradient"]
    if reference is None and any(map(_may_be_meant, wrong)):
        truth.append(MEANT)
    if [*_errors(outcomes)]:
        inputs, known, _ = samples[-1]
        alone = work.judged(
            [(inputs, known, inputs)], work.checks(False)[:3], work.tolerance, options.harmless
        )
        truth += [ELSEWHERE] if len(samples) > 1 and all(outcome.passed for outcome in alone) else []
    outcomes = (*outcomes, *_of_operator(work, arguments), *_of_transforms(work, samples[-1], open_probe))
    result = ShownResult(name, dict.fromkeys([o.check for o in outcomes], 0), outcomes, 0.0)
    ran = never_ran(work.probe, outcomes)
    return replace(result, truth=" ".join(truth), never_ran=ran, seconds=time.perf_counter() - start)


def _samples(
    work: _Work, arguments: Arguments, first: Any, generator: np.random.Generator
) -> list[tuple[Arguments, Truth, Arguments]]:
    """Return samples, each with its truth and other arguments of its shapes; the last is the user's."""
    if work.reference is not None:
        truth = work.reference(arguments)
        refuse_reference(work.name, truth, first)
    else:
        arguments, truth = _measured(work, arguments, first, generator)
    drawn = [variant(arguments, generator) for _ in range(VARIANTS)]
    entries = {True: SMALL, False: SMALL * 10}[work.reference is None]
    for other in in_other_shapes(arguments):
        if _entries(other) ** 2 <= entries:
            drawn.append(variant(other, generator))
    if work.options.domain is not None:
        domain = work.options.domain
        drawn += [domain.draw(plan, generator) for plan in domain.small()]
    dtype = work.options.dtype
    samples = []
    for accepted in work.accepted([_rounded(each, dtype) for each in drawn]):
        known = work.truth(accepted)
        if known is not None:
            samples.append((accepted, known, _other(work, accepted, generator)))
    return [*samples, (arguments, truth, _other(work, arguments, generator))]


def _other(work: _Work, arguments: Arguments, generator: np.random.Generator) -> Arguments:
    """Return other arguments of the same shapes."""
    other = _rounded(rolled_on(variant(arguments, generator)), work.options.dtype)
    return (work.accepted([other]) or [arguments])[0]


def _measured(
    work: _Work, arguments: Arguments, first: Any, generator: np.random.Generator
) -> tuple[Arguments, TruthByDifferences]:
    """Return the truth from central differences, at the arguments or, if they are at a kink, near them.

    Raises CannotRun if the differences can be trusted nowhere. If forward returns floats that are not
    float64, only that is reported.
    """
    dtypes = {*first["dtypes"]}
    for tolerance in dict.fromkeys(max(work.tolerance, least) for least in (0.0, SINGLE_PRECISION, FEW)):
        with precision(tolerance):
            truth = work.differences.at(arguments)
            if "error" in first:
                return arguments, truth
            if not any(truth.flows):
                raise CannotRun("No output of forward is a float tensor, so there is no gradient to check.")
            if truth.doubt is None:
                work.notes += [FEW_DIGITS] if tolerance > work.tolerance else []
                work.tolerance = tolerance
                return arguments, truth
    if "float32" in dtypes and work.options.dtype == "float64":
        return arguments, truth
    for _ in range(MOVES):
        for near in work.accepted([moved(arguments, generator)]):
            with precision(work.tolerance):
                elsewhere = work.differences.at(near)
                if elsewhere.doubt is None:
                    work.notes.append(NO_KINK)
                    return near, elsewhere
    with precision(work.tolerance):
        why = "the central differences of forward do not converge"
        raise CannotRun(at_a_kink(truth, work.parameters, why))


def _judged_twice(
    work: _Work, samples: Sequence[tuple[Arguments, Truth, Arguments]], checks: Sequence[str]
) -> tuple[Outcome, ...]:
    """Judge the work; where digits alone are wrong, judge once more what stands behind them.

    Autograd through a reference is not always right to all digits, and neither are constants that somebody
    wrote with eight: what is right to six digits is a warning.
    """
    harmless = work.options.harmless
    outcomes = work.judged(samples, checks, work.tolerance, harmless)
    errors = [*_errors(outcomes)]
    if not errors or work.options.dtype != "float64":
        return outcomes
    if work.tolerance < SINGLE and work.options.rtol is None:
        loose = work.judged(samples, checks, SINGLE, harmless)
        if not [*_errors(loose)]:
            message = f"This agrees with like to six digits, and not to all: {errors[0].message}"
            note = replace(named("not-precise", errors[0].check, errors[0].input, message), warning=True)
            return tuple(
                replace(o, findings=(note, *o.findings)) if o.check == note.check else o for o in loose
            )
    if any(finding.mistake == "wrong-dtype" for outcome in outcomes for finding in outcome.findings):
        loose = work.judged(samples, checks, SINGLE_PRECISION, harmless | {"wrong-dtype"})
        allowed = "wrong-dtype" in harmless
        return tuple(replace(o, findings=tuple(_narrow(f, allowed) for f in o.findings)) for o in loose)
    return outcomes


def _errors(outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    yield from (finding for outcome in outcomes for finding in outcome.findings if not finding.warning)


def _may_be_meant(finding: Finding) -> bool:
    """Return whether a gradient may differ from the derivative on purpose, as that of a rounding does."""
    constant = finding.numbers is not None and not finding.numbers.true.any()
    return constant or finding.mistake in OFTEN_MEANT


def _narrow(finding: Finding, allowed: bool) -> Finding:
    return replace(finding, warning=allowed) if finding.mistake == "wrong-dtype" else finding


def _narrower(open_probe: OpenProbe, name: str, arguments: Arguments, options: Options) -> Options | None:
    """Return the options with the first dtype that forward takes, as a kernel takes one alone."""
    for dtype in DTYPES[1:]:
        narrower = replace(options, dtype=dtype)
        probe = open_probe(subject_of(name, (), narrower))
        if "error" not in probe.ask_one(requests.forward(_rounded(arguments, dtype))):
            return narrower
    return None


def _rounded(arguments: Arguments, dtype: str) -> Arguments:
    """Return the arguments with numbers that the dtype can hold."""
    if dtype not in TOLERANCES:
        return arguments
    import torch

    def rounded(array: np.ndarray) -> np.ndarray:
        values = torch.from_numpy(np.array(array)).to(getattr(torch, dtype)).double().numpy()
        return values.view(type(array))

    return tuple(rounded(a) if isinstance(a, np.ndarray) and floating(a) else a for a in arguments)


def _of_operator(work: _Work, arguments: Arguments) -> list[Outcome]:
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


def _of_transforms(
    work: _Work, sample: tuple[Arguments, Truth, Arguments], open_probe: OpenProbe
) -> Iterator[Outcome]:
    """Yield the outcome of a call through each transform that is asked for: nothing may change."""
    for under in work.options.under:
        probe = open_probe(subject_of(work.name, work.modifies, work.options, under=under))
        through = replace(work, probe=probe, is_function=False, has_jvp=False)
        outcomes = through.judged([sample], OF_A_CALL[:2], work.tolerance, work.options.harmless)
        name = f"torch.{under}"
        yield Outcome(name, tuple(replace(f, check=name) for o in outcomes for f in o.findings))


def _tried(samples: Sequence[tuple[Arguments, Truth, Arguments]]) -> list[str]:
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


def _entries(arguments: Arguments) -> int:
    return sum(a.size for a in arguments if isinstance(a, np.ndarray) and differentiable(a))


def _refuse_kink(outcomes: Sequence[Outcome], work: _Work, arguments: Arguments) -> None:
    """Raise CannotRun for a gradient at a kink, where more than one gradient may be right."""
    wrong = any(finding.check == "gradient" for finding in _errors(outcomes))
    if work.chosen or not wrong or work.tolerance > FEW:  # so few digits show no kink
        return
    with precision(FEW):  # a kink that matters is larger, and a forward in float32 has no more digits
        measured = work.differences.at(arguments)
        if measured.doubt is not None and not measured.raised:
            problem = "the gradient differs from that of like, but both may be right"
            raise CannotRun(at_a_kink(measured, work.parameters, problem))
