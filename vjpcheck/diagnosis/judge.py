"""Inspects a Function, makes a specification for it, and judges it by that specification."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from vjpcheck import judge
from vjpcheck.arguments import Arguments, differentiable, floating
from vjpcheck.ask import requests
from vjpcheck.ask.protocol import ProbeClient, Request, request
from vjpcheck.diagnosis.variants import rolled_on, variant
from vjpcheck.domain import ANY, Array, Domain
from vjpcheck.numbers import RELATIVE, close
from vjpcheck.probe.function_probe import Probe
from vjpcheck.probes import Subject
from vjpcheck.remarks import never_ran
from vjpcheck.render.display import ShownResult
from vjpcheck.result import CannotRun, Result
from vjpcheck.spec import Spec
from vjpcheck.truth.differences import ACCEPTED, Differences, TruthByDifferences
from vjpcheck.truth.native import Truth

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Forward, Signature

SEED = 0  # every call uses the same numbers
CHECKS = ("forward", "contract", "gradient", "second order", "frozen inputs")
MEASURED = "Compared with central differences of forward; forward itself is not checked."
BY_LIKE = "Compared with autograd through like."
ONLY_ONCE = "like cannot be differentiated twice, so second order is not checked."
ELSEWHERE = (
    "For your inputs everything is right. The findings are for inputs that are 0.8 to 1.2 times as large: "
    "does forward accept such numbers?"
)
VARIANTS = 2  # samples in addition to the user's inputs
DTYPES = {"float64", "int64", "int32", "int16", "int8", "uint8", "bool"}
# numbers that one round trip sends to a probe, or that return from it
PULLED_AT_MOST = 1_000_000  # by a backward pass for each entry of the outputs
MEASURED_AT_MOST = 100_000  # by 16 calls of forward for each entry of the inputs

Reference = Callable[[Arguments], Truth]  # raises CannotRun where the reference raises


def subject_of(name: str, modifies: Sequence[int] = ()) -> Subject:
    """Return the subject of a probe: a PyTorch Function under its own name."""
    return Subject(name, modifies=modifies)


def judged(
    name: str,
    arguments: Arguments,
    open_probe: Callable[[Subject], ProbeClient],
    reference: Reference | None,
) -> Result:
    """Judge the Function of this name on these arguments and on similar ones.

    The truth comes from the reference or, without one, from central differences. Raises CannotRun with one
    sentence if the Function cannot be judged.
    """
    probe = open_probe(subject_of(name))
    questions: list[Request[Any]] = [request(Probe.signature), request(Probe.declared)]
    signature, declared, first, again = probe.ask([*questions, *[requests.forward(arguments)] * 2])
    parameters = _parameters(name, signature, len(arguments))
    _refuse_odd_outputs(first, again)
    _refuse_other_outputs(first)
    _refuse_single_precision_alone(name, probe, arguments, first, again)
    entries, outputs = _entries(arguments), sum(output.size for output in first["outputs"])
    measurable = entries * max(entries, outputs) <= MEASURED_AT_MOST
    if not measurable if reference is None else outputs * max(entries, outputs) > PULLED_AT_MOST:
        text = f"The inputs have {entries} entries and the outputs {outputs}, too many to test each of them"
        raise CannotRun(f"{text}: use smaller inputs, which show the same mistakes.")
    modifies = sorted(set(first["changed"]))
    if modifies:
        probe = open_probe(subject_of(name, modifies))
    differences = Differences(probe.ask)
    truth = (
        _from_reference(name, reference, arguments, first)
        if reference is not None
        else _by_differences(differences, arguments, first, parameters)
    )
    generator = np.random.default_rng(SEED)
    near = [variant(arguments, generator) for _ in range(VARIANTS)]
    (other,) = _accepted(probe, [rolled_on(variant(arguments, generator))]) or [arguments]
    measured = [(a, _truth_or_none(differences, reference, a)) for a in _accepted(probe, near)]
    samples = [(a, truth, other) for a, truth in [*measured, (arguments, truth)] if truth is not None]
    twice = reference is None or _differentiable_twice(truth)
    checks = [check for check in CHECKS if twice or check != "second order"]
    checks += ["forward mode"] if declared["jvp"] else []
    tolerance = ACCEPTED if reference is None else RELATIVE
    spec = _specification(parameters, samples, modifies, tolerance)
    result = _result(spec, name, checks, probe)
    if reference is not None and measurable:
        _refuse_kink(result, spec, differences, arguments)
    notes = [MEASURED] if reference is None else [BY_LIKE] if twice else [BY_LIKE, ONLY_ONCE]
    notes += _constants(arguments, parameters)
    if any(finding.check == "gradient" for finding in result.findings):
        samples = [(arguments, truth, arguments)]
        alone = _specification(parameters, samples, modifies, tolerance)
        notes += [ELSEWHERE] if _result(alone, name, CHECKS[:3], probe).passed else []
    return replace(result, truth=" ".join(notes), never_ran=never_ran(probe, result.outcomes))


def _specification(
    parameters: Sequence[str],
    samples: Sequence[tuple[Arguments, Truth, Arguments]],
    modifies: Sequence[int],
    tolerance: float,
) -> Spec:
    """Return the specification of a Function by its samples and the truth about each.

    The domain of its inputs is unknown, so no further samples are drawn. `tolerance` bounds the error of the
    truth itself.
    """
    return Spec(
        domain=Domain({name: Array(ANY, distinct=True, scales=()) for name in parameters}),
        forward=_unused,
        small=samples[-1][0],
        samples=samples,
        modifies=tuple(parameters[position] for position in modifies),
        may_use=("autograd",),
        tolerance=tolerance,
        second_order_tolerance=tolerance,
    )


def _unused(*arguments: Any) -> Any:
    raise AssertionError("the specification has the truth of each sample")


def _result(spec: Spec, name: str, checks: Sequence[str], probe: ProbeClient) -> Result:
    start = time.perf_counter()
    outcomes = tuple(judge.judge(spec, name, checks, probe, SEED))
    return ShownResult(name, dict.fromkeys(checks, 0), outcomes, time.perf_counter() - start)


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


def _parameters(name: str, signature: Signature, count: int) -> list[str]:
    """Return a name for each argument."""
    names, further = signature["names"], signature["further"]
    if count < signature["required"] or (count > len(names) and not further):
        takes = f"{len(names)} input{'s' * (len(names) != 1)} ({', '.join(names)})"
        raise CannotRun(f"{name} takes {takes}, but you passed {count}.")
    return [*names, *(f"{further}[{place}]" for place in range(count - len(names)))][:count]


def _refuse_odd_outputs(first: Forward, again: Forward) -> None:
    if "error" in first or "error" in again:
        return  # the forward check reports the error
    for output, other in zip(first["outputs"], again["outputs"], strict=False):
        if output.dtype.kind == "c":
            raise CannotRun("An output is complex, but only real derivatives can be checked.")
        if not np.isfinite(output).all():
            raise CannotRun("An output of forward is infinite or NaN for these inputs: use other inputs.")
        if output.shape != other.shape or not close(output, other):
            message = "forward gives different outputs for the same inputs"
            raise CannotRun(f"{message}: pass random values, such as a mask, as an input.")


def _refuse_other_outputs(first: Forward) -> None:
    """Raise CannotRun for outputs that are not tensors, which PyTorch permits."""
    if "error" in first and first["error"]["type"] == "WrongReturn" and "alone" in first["error"]["message"]:
        message = first["error"]["message"].rstrip(".")
        raise CannotRun(
            f"{message}: PyTorch allows that, but diagnose takes tensors only. "
            "Let forward return no more than its tensors while it is diagnosed."
        )


def _refuse_single_precision_alone(
    name: str, probe: ProbeClient, arguments: Arguments, first: Forward, again: Forward
) -> None:
    """Raise CannotRun for a forward that raises only for float64, as a kernel may."""
    if "error" not in first or "error" not in again:
        return
    single = [a.astype(np.float32) if isinstance(a, np.ndarray) and floating(a) else a for a in arguments]
    halves = [a.astype(np.float16) if isinstance(a, np.ndarray) and floating(a) else a for a in arguments]
    answers = probe.ask([requests.forward(single), requests.forward(halves)])
    if any("error" not in answer for answer in answers):
        narrow = "float32" if "error" not in answers[0] else "float16"
        message = f"{first['error']['type']}: {first['error']['message']}".rstrip(": .")
        raise CannotRun(
            f"diagnose passes float64 tensors on the CPU, and forward refuses them, but not {narrow} "
            f"({message}): {name} is not judged. "
            "Let forward take float64 while it is diagnosed."
        )


def _from_reference(name: str, reference: Reference, arguments: Arguments, first: Forward) -> Truth:
    """Return the truth from the reference; raises CannotRun if the reference does not fit this Function."""
    truth = reference(arguments)
    if "error" not in first:
        own, like = ([output.shape for output in outputs] for outputs in (first["outputs"], truth.outputs))
        if own != like:
            text = f"{name} returns {_listing(own)}, but like returns {_listing(like)}"
            raise CannotRun(f"{text}: like must compute the same function.")
    for output in truth.outputs:
        if output.dtype.kind == "c":
            raise CannotRun("like returns a complex tensor, but only real derivatives can be checked.")
        if output.dtype.kind == "f" and output.dtype != np.float64:
            raise CannotRun(f"like returns {output.dtype} for float64 inputs; it must return float64.")
    if not any(truth.flows):
        raise CannotRun("No output of like requires grad, so there is no gradient to compare with.")
    return truth


def _listing(shapes: Sequence[tuple[int, ...]]) -> str:
    return " and ".join(f"a tensor of shape {shape}" for shape in shapes) or "nothing"


def _by_differences(
    differences: Differences, arguments: Arguments, first: Forward, parameters: Sequence[str]
) -> TruthByDifferences:
    """Return the truth from central differences; raises CannotRun if they cannot be trusted.

    If forward returns floats that are not float64, only that is reported.
    """
    truth = differences.at(arguments)
    if truth.raised and "error" not in first:
        text = f"forward raises {truth.raised} where one number of the inputs is a little larger or smaller"
        raise CannotRun(f"{text}, so there are no central differences. Pass a reference (like).")
    if truth.doubt is not None and "error" not in first and {*first["dtypes"]} <= DTYPES:
        raise CannotRun(_at_a_kink(truth, parameters, "the central differences of forward do not converge"))
    if "error" not in first and not any(truth.flows):
        raise CannotRun("No output of forward is a float tensor, so there is no gradient to check.")
    return truth


def _at_a_kink(truth: TruthByDifferences, parameters: Sequence[str], why: str) -> str:
    assert truth.doubt is not None
    position, entry = truth.doubt
    value = np.asarray(truth.arguments[position])[entry]
    where = f"{parameters[position]}{list(entry) if entry else ''} = {value:.6g}"
    otherwise = "" if "like" in why else ", or pass a reference (like)"
    return (
        f"At {where} {why}: forward has a kink or a jump at or near this point, or it computes with too few "
        f"digits. Use inputs away from this point{otherwise}."
    )


def _accepted(probe: ProbeClient, drawn: Sequence[Arguments]) -> list[Arguments]:
    """Return the arguments for which forward does not raise and returns finite numbers."""
    answers = probe.ask([requests.forward(arguments) for arguments in drawn])
    return [
        arguments
        for arguments, answer in zip(drawn, answers, strict=True)
        if "error" not in answer and all(np.isfinite(output).all() for output in answer["outputs"])
    ]


def _truth_or_none(
    differences: Differences, reference: Reference | None, arguments: Arguments
) -> Truth | None:
    """Return the truth for a variant of the inputs; None if the variant is not suitable."""
    if reference is None:
        measured = differences.at(arguments)
        return measured if measured.doubt is None else None
    try:
        truth = reference(arguments)
    except CannotRun:
        return None
    return truth if all(np.isfinite(output).all() for output in truth.outputs) else None


def _refuse_kink(result: Result, spec: Spec, differences: Differences, arguments: Arguments) -> None:
    """Raise CannotRun for a gradient at a kink, where more than one gradient may be right."""
    if not any(finding.check == "gradient" for finding in result.findings):
        return
    measured = differences.at(arguments)
    if measured.doubt is not None and not measured.raised:
        problem = "the gradient differs from that of like, but both may be right"
        raise CannotRun(_at_a_kink(measured, spec.parameters, problem))
