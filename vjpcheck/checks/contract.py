"""Checks the contract of backward: number, types and shapes of its return values, and no side effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vjpcheck.arguments import Argument, differentiable
from vjpcheck.case import Case, Sample, Trial
from vjpcheck.checks import ctx_usage
from vjpcheck.checks.gradient_conditions import wrong_positions
from vjpcheck.errors import StudentError
from vjpcheck.mistakes import named
from vjpcheck.naming import from_error
from vjpcheck.naming.failing_call import call, of_call
from vjpcheck.naming.from_shape import name_in_general, name_shape
from vjpcheck.numbers import close, near
from vjpcheck.probe.callers_world import ASPECTS, GENERATOR
from vjpcheck.result import Finding, Shapes

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Pullback, Returned

CHECK = "contract"
_REPORTED = ("requires_grad", "grad", "layout", "setting")
HINT_ARRAY = "Convert the array to a tensor before you return it."


def findings(case: Case) -> Iterator[Finding]:
    """Check the return values of backward itself, before the engine repairs or rejects them.

    Swapped gradients have wrong shapes too; then only the swap is reported. If there are too many gradients,
    each may be in a wrong place; then only their number is reported.
    """
    faults = list(_all(case))
    for cause in ("too-many-gradients", "gradients-swapped"):
        alone = [finding for finding in faults if finding.mistake == cause]
        if alone:
            yield from alone
            return
    yield from faults


def _all(case: Case) -> Iterator[Finding]:
    if all(trial.answer["returned"] is None and "error" not in trial.answer for trial in case.trials):
        yield _no_way_back(case)
    odd = _odd_shapes(case)
    for trial in case.trials:
        yield from _number(case, trial)
        yield from _types(case, trial)
        yield from _shapes(case, trial, odd)
        yield from _dtypes(case, trial)
        yield from _writes(case, trial)
        yield from _disturbs(case, trial)
        yield from _none_let_through(case, trial)
    yield from ctx_usage.findings(case)


def _no_way_back(case: Case) -> Finding:
    message = f"The result of apply is not connected to backward of {case.function}."
    if any(inspection["listed"] for inspection in case.inspections):
        return named("tensors-in-a-list", CHECK, None, f"forward receives tensors inside a list. {message}")
    return Finding(CHECK, message)


def _number(case: Case, trial: Trial) -> Iterator[Finding]:
    returned, expected = trial.answer["returned"], len(trial.sample.arguments)
    if returned is None:
        return
    listing = ", ".join(case.name(p) for p in range(expected))
    if len(returned) == 1 and returned[0]["type"] == "list":
        yield named("gradients-in-a-list", CHECK, None, "backward returns a list; it must return a tuple.")
        return
    extra = any(value["type"] != "None" for value in returned[expected:]) and not _for_none(case)
    if extra or len(returned) < expected:
        message = f"backward returns {_count(returned)} for {expected} arguments of apply ({listing})."
        yield named("too-many-gradients" if extra else "too-few-gradients", CHECK, None, message)


def _for_none(case: Case) -> bool:
    """Return whether backward returned a gradient for None; then it returns one for a missing argument."""
    pairs = (pair for trial in case.trials for pair in _pairs(trial))
    return any(argument is None and value["type"] != "None" for argument, value in pairs)


def _count(returned: list[Returned]) -> str:
    if len(returned) == 1:
        return "nothing" if returned[0]["type"] == "None" else "1 value"
    return f"{len(returned)} values"


def _types(case: Case, trial: Trial) -> Iterator[Finding]:
    misplaced = _misplaced(case, trial)
    if misplaced is not None:
        yield misplaced
        return
    for position, (argument, value) in enumerate(_pairs(trial)):
        name, kind = case.name(position), value["type"]
        if kind == "None" or (kind == "list" and len(trial.answer["returned"] or []) == 1):
            continue
        if not isinstance(argument, np.ndarray):
            what = "None" if argument is None else f"the {type(argument).__name__} {argument}"
            if isinstance(argument, (Mapping, str)) or callable(argument):
                what = "not a tensor"
            text = f"backward returns {_a(kind)} for {name}, which is {what} in {call(case, trial.sample)}."
            yield named("gradient-for-non-tensor", CHECK, name, text)
        elif kind != "Tensor":
            finding = named("gradient-not-a-tensor", CHECK, name, f"backward returns {_a(kind)} for {name}.")
            yield replace(finding, hint=HINT_ARRAY) if kind == "ndarray" else finding
        elif not differentiable(argument) and case.spec.samples is None:
            text = f"backward returns a Tensor for {name}, which holds integers: it has no gradient."
            yield named("gradient-for-non-tensor", CHECK, name, text)


def _a(kind: str) -> str:
    if kind == "ndarray":
        return "a NumPy array"
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _misplaced(case: Case, trial: Trial) -> Finding | None:
    """Return a finding if tensors get None and other arguments get the gradients."""
    places = [position for position, (_, value) in enumerate(_pairs(trial)) if value["type"] == "Tensor"]
    required = [position for position, flag in enumerate(trial.requires) if flag]
    arguments = trial.sample.arguments
    if (
        len(places) != len(required)
        or set(places) & set(required)
        or any(isinstance(arguments[place], np.ndarray) for place in places)
    ):
        return None
    names = [case.name(position) for position in required]
    message = (
        f"backward returns None for {' and '.join(names)} and a gradient for "
        f"{' and '.join(case.name(place) for place in places)}. The order must be that of "
        f"{call(case, trial.sample)}."
    )
    return named("gradients-swapped", CHECK, names[0], message)


def _pairs(trial: Trial) -> Iterator[tuple[Argument, Returned]]:
    return zip(trial.sample.arguments, trial.answer["returned"] or [], strict=False)


def _odd_shapes(case: Case) -> dict[int, Trial]:
    """Return, for each input whose gradient has a wrong shape, a trial that shows it.

    It is the trial with the largest input: an axis of size 1 hides mistakes.
    """
    odd: dict[int, Trial] = {}
    for trial in sorted(case.trials, key=lambda trial: -trial.sample.entries):
        for position, (argument, value) in enumerate(_pairs(trial)):
            if value["value"] is not None and isinstance(argument, np.ndarray) and trial.requires[position]:
                odd.setdefault(position, trial)
    return odd


def _ignores_cotangent(case: Case, trial: Trial, position: int, value: np.ndarray) -> bool:
    """Return whether another trial with the same inputs and other cotangents gives the same gradient."""
    values = [
        _value(other.answer, position)
        for other in case.trials
        if other is not trial and (other.sample, other.requires) == (trial.sample, trial.requires)
    ]
    return bool(value.any()) and any(other is not None and close(other, value) for other in values)


def _value(answer: Pullback, position: int) -> np.ndarray | None:
    returned = answer["returned"] or []
    return returned[position]["value"] if position < len(returned) else None


def _shapes(case: Case, trial: Trial, odd: Mapping[int, Trial]) -> Iterator[Finding]:
    """Yield one finding for each input whose gradient has a wrong shape."""
    for position, (argument, _) in enumerate(_pairs(trial)):
        value = _value(trial.answer, position)
        if odd.get(position) is not trial or value is None or not isinstance(argument, np.ndarray):
            continue
        name = case.name(position)
        message = f"The gradient for {name} has shape {value.shape}, but {name} has shape {argument.shape}."
        if _ignores_cotangent(case, trial, position, value):
            message = f"The gradient for {name} does not depend on the cotangent. {message}"
            finding = named("missing-grad-output", CHECK, name, message)
        else:
            known = name_shape(case, trial, position, value)
            raised = _raised_for_more(case, trial)
            if raised and known in (None, "gradient-too-large"):
                known = from_error.finding(CHECK, *raised).mistake
            finding = named(known or name_in_general(trial.truth(position), value), CHECK, name, message)
        # autograd sums a gradient that is broadcast over its input
        summed = case.spec.samples is not None and all(_right(case, other) for other in case.trials)
        shapes = Shapes(value.shape, argument.shape)
        yield replace(finding, seen=of_call(case, trial), shapes=shapes, warning=summed)


def _raised_for_more(case: Case, odd: Trial) -> tuple[StudentError, int, Sample] | None:
    """Return the error, the number of saves and the sample of a larger input for which backward raised."""
    for trial in case.trials:
        if "error" in trial.answer and trial.sample.entries > odd.sample.entries:
            return trial.answer["error"], trial.answer["saves"], trial.sample
    return None


def _dtypes(case: Case, trial: Trial) -> Iterator[Finding]:
    """Find gradients in a narrower dtype: the engine casts them back, but the digits are lost."""
    for position, ((argument, value), truth) in enumerate(zip(_pairs(trial), trial.truths, strict=False)):
        gradient = trial.answer["gradients"][position]
        if truth is None or gradient is None or not isinstance(argument, np.ndarray):
            continue
        dtype = case.spec.dtypes[0]
        if value["dtype"] != dtype and truth.any() and near(gradient, truth, 1e-2, 1e-2):
            name = case.name(position)
            message = f"The gradient for {name} has dtype {value['dtype']}, but {name} has dtype {dtype}."
            yield named("wrong-dtype", CHECK, name, message)


def _writes(case: Case, trial: Trial) -> Iterator[Finding]:
    for _ in trial.answer["cotangents_changed"]:
        yield named("mutates-grad-output", CHECK, None, "backward modifies the cotangent that it receives.")
    for _ in trial.answer["outputs_changed"]:
        message = "backward modifies a saved tensor, which is the output itself."
        yield named("mutates-saved-tensor", CHECK, None, message)
    for position in trial.answer["inputs_changed"]:
        name = case.name(position)
        array = isinstance(trial.sample.arguments[position], np.ndarray)
        if not array and not all(_right(case, other) for other in case.trials):
            continue  # drawing again in backward is reported by the gradient check
        changed = "values" if array else "state"
        message = f"{name} does not hold the same {changed} after the backward pass."
        if any(position in inspection["saved_inputs"] for inspection in case.inspections):
            yield named("mutates-saved-tensor", CHECK, name, f"backward modifies a saved tensor: {message}")
        else:
            yield named("mutates-input", CHECK, name, f"backward modifies an input: {message}")


def _right(case: Case, trial: Trial) -> bool:
    answer = trial.answer
    return "error" not in answer and not wrong_positions(case, answer["gradients"], trial.truths)


def _disturbs(case: Case, trial: Trial) -> Iterator[Finding]:
    """Report the changes by the call, except those of values, which `_writes` reports."""
    for place, aspects in trial.answer["disturbed"].items():
        name = case.name(int(place)) if place.isdecimal() else None
        for aspect in aspects:
            if aspect in _REPORTED and (name is None) == (aspect == "setting"):
                message = ASPECTS[aspect].format(name or f"T{place[1:]}")
                mistake = "not-reproducible" if place == GENERATOR else None
                yield named(mistake, CHECK, name, f"{message}.")


def _none_let_through(case: Case, trial: Trial) -> Iterator[Finding]:
    if not case.spec.lets_none_through:
        return
    truths = trial.sample.truth.differentiable_outputs
    for cotangent, truth, arrived in zip(trial.cotangents, truths, trial.answer["arrived"], strict=False):
        if cotangent is None and truth is not None and arrived:
            message = "backward receives zeros for an unused output; it should receive None."
            yield named("materializes-gradients", CHECK, None, message)
            return
