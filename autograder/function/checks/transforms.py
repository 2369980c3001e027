"""Checks the Function under torch.func and in forward mode against the native forward."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.errors import StudentError, tell
from autograder.function import requests
from autograder.function.case import Case, Sample
from autograder.function.explain import by_error
from autograder.function.explain.by_tangent import explain as explain_jvp
from autograder.function.explain.seen import of_tangent
from autograder.mistakes import named
from autograder.numbers import close, furthest, ratio
from autograder.protocol import Request
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.answers import Transformed

BATCH = 3  # the size of an axis of some samples too: a batch axis is not found by its size


def setup_context(case: Case) -> Iterator[Finding]:
    """Look for the static method that torch.func needs."""
    if not case.ask_one(requests.declared())["setup_context"]:
        message = "forward takes ctx; torch.func needs a forward without ctx, and a setup_context."
        yield named("no-setup-context", "setup_context", None, message)


def jvp(case: Case) -> Iterator[Finding]:
    """Compute a Jacobian-vector product, by torch.func and by dual numbers."""
    yield from _compare(case, "jvp", ["torch.func.jvp", "torch.autograd.forward_ad"])


def batched(case: Case) -> Iterator[Finding]:
    """Batch the Function, by the rule that the exercise asks for."""
    names = [
        "torch.vmap",
        "torch.vmap over axis 1",
        "torch.vmap over the last axis",
        "torch.vmap in torch.vmap",
        "the gradient through torch.vmap",
    ]
    found = list(_compare(case, "vmap", names))
    yield from found
    rule = case.exercise.vmap_rule
    if found or rule == "any":
        return
    declared = case.ask_one(requests.declared())
    if rule == "own" and not declared["vmap"]:
        yield Finding("vmap", "The exercise asks for a vmap static method, but the generated rule is used.")
    if rule == "generated" and not declared["generate_vmap_rule"]:
        yield Finding("vmap", "The exercise asks for generate_vmap_rule, but a vmap static method is used.")


def composed(case: Case) -> Iterator[Finding]:
    """Compose the transforms: whole Jacobians in both modes, batches of derivatives."""
    jacobians = ["torch.func.vjp", "torch.func.jacrev", "torch.func.jacfwd"]
    batches = ["torch.vmap of the gradient", "torch.func.grad of torch.vmap", "torch.func.jvp of torch.vmap"]
    yield from _compare(case, "transforms", [*jacobians, *batches])


def hessian(case: Case) -> Iterator[Finding]:
    """Differentiate twice; forward over forward is left out, because PyTorch itself is wrong there."""
    orders = ["torch.func.jacrev of torch.func.jacrev", "torch.func.jacrev of torch.func.jacfwd"]
    yield from _compare(case, "hessian", ["torch.func.hessian", *orders])


CHECKS: dict[str, Callable[[Case], Iterator[Finding]]] = {
    "setup_context": setup_context,
    "jvp": jvp,
    "vmap": batched,
    "transforms": composed,
    "hessian": hessian,
}


def _compare(case: Case, check: str, names: Sequence[str]) -> Iterator[Finding]:
    """Yield the first transform that differs from the same one of the native forward."""
    points = [_point(case, sample) for sample in case.samples]
    questions: list[Request[Any]] = [requests.transform(name, point) for point in points for name in names]
    answers = case.ask(questions)
    tried = [(name, point) for point in points for name in names]
    yield from islice(_differences(case, check, tried, answers), 1)


def _point(case: Case, sample: Sample) -> list[np.ndarray]:
    x = sample.arguments[0]
    assert isinstance(x, np.ndarray)
    shapes = (x.shape, (BATCH, *x.shape), (BATCH, *x.shape))
    return [x, *(np.asarray(case.generator.standard_normal(shape)) for shape in shapes)]


def _differences(
    case: Case,
    check: str,
    tried: Sequence[tuple[str, list[np.ndarray]]],
    answers: Sequence[Transformed],
) -> Iterator[Finding]:
    from autograder.function.transforms import transformed  # which imports torch

    for (name, point), answer in zip(tried, answers, strict=True):
        if "error" in answer:
            yield _error(case, check, name, answer["error"])
            continue
        truth, found = transformed(name, case.exercise.forward, point), answer["output"]
        if found is None or found.shape != truth.shape:
            shape = None if found is None else found.shape
            message = f"{name} gives an array of shape {shape}; it should be {truth.shape}."
            turned = check == "vmap" and shape is not None and sorted(shape) == sorted(truth.shape)
            finding = named("wrong-axis" if turned else None, check, None, message)
            yield replace(finding, hint=HINT_AXES if "vmap" in name else "")
        elif not close(found, truth, case.exercise.tolerance):
            yield _wrong(case, check, (name, point), found, truth)


NO_STORAGE = "doesn't have storage"  # of the tensor that stands for a batch, or for a dual number
HINT_JVP = "The result of jvp is J t: for each output, the sum over the inputs of derivative times tangent."
FOR_FORWARD = "In jvp, ctx.saved_tensors holds the tensors that were passed to save_for_forward."
HINT_BATCH = "NumPy met a batched tensor: write a vmap static method, and call apply in it, not forward."
HINT_DUAL = "NumPy cannot read the tensors that a transform passes on. Use PyTorch's operations here."
AS_ONE = "vmap computes with the batch axis as with an axis of a sample."
HINT_AXES = "in_dims gives the batch axis of each argument; out_dims gives the batch axis of each output."


def _wrong(
    case: Case, check: str, tried: tuple[str, list[np.ndarray]], found: np.ndarray, truth: np.ndarray
) -> Finding:
    (name, point), entry = tried, furthest(found, truth)
    message = (
        f"{name} gives a different result than for the native function: "
        f"entry {list(map(int, entry))} is {found[entry]:.6g} and should be {truth[entry]:.6g}."
    )
    mistake: str | None
    if check == "jvp":
        times = ratio(found, truth)
        if times is not None:
            mistake = "wrong-sign" if abs(times + 1) < 1e-6 else "wrong-factor"
            told = f"The result of jvp is {times:.4g} times the true one."
        else:
            mistake, told = explain_jvp(case, [_point(case, sample) for sample in case.samples]) or (None, "")
        finding = named(mistake, check, case.name(0), f"{told} {message}".strip())
        return replace(
            finding, hint=finding.hint or HINT_JVP, seen=of_tangent(case, point, entry, found, truth)
        )
    if check == "vmap" and name == "torch.vmap" and _as_one_sample(case, point, found):
        return replace(named("wrong-axis", check, None, f"{AS_ONE} {message}"), hint=HINT_AXES)
    # right for a batch along the first axis, which came before
    along = check == "vmap" and name.startswith("torch.vmap over")
    finding = named("wrong-axis" if along else None, check, None, message)
    return replace(finding, hint=HINT_AXES if "vmap" in name else "")


def _as_one_sample(case: Case, point: list[np.ndarray], found: np.ndarray) -> bool:
    from autograder.function.transforms import transformed

    whole = transformed("the batch as one sample", case.exercise.forward, point)
    return close(found, whole, case.exercise.tolerance)


def _error(case: Case, check: str, name: str, error: StudentError) -> Finding:
    said = error["message"]
    if "vmap" in name and NO_STORAGE in said:
        declared = case.ask_one(requests.declared())
        if declared["generate_vmap_rule"]:
            message = f"{name} fails: the generated rule passes on batched tensors, which NumPy cannot read."
            return named("no-vmap-rule", check, None, message)
        if declared["vmap_calls_forward"]:
            message = f"{name} fails: vmap calls forward, which no transform sees. {tell(error)}"
            return named("called-forward-not-apply", check, None, message)
    for text, mistake, message in _KNOWN:
        if text in said:
            return named(mistake, check, None, f"{name} fails: {message}")
    if check == "jvp" and "not enough values to unpack" in said:
        message = f"{name} fails: nothing was saved for jvp. {tell(error)}"
        return replace(named("no-jvp", check, None, message), hint=FOR_FORWARD)
    hints = (hint for of, text, hint in _HINTS if check in of and text in said)
    return Finding(check, tell(error), None, None, next(hints, by_error.hint(error)))


ONE_RECORD = (
    "The generated rule keeps one record of batch axes: give save_for_backward and save_for_forward the same "
    "tensors, in one order."
)
_ALL = ("jvp", "vmap", "transforms", "hessian")
_HINTS: list[tuple[tuple[str, ...], str, str]] = [
    (("vmap",), NO_STORAGE, HINT_BATCH),
    (_ALL, NO_STORAGE, HINT_DUAL),
    (_ALL, "flat_bdims must not be None", ONE_RECORD),
    (
        _ALL,
        ".item()",
        "Under vmap one tensor stands for many: use tensor operations such as torch.where, not numbers.",
    ),
    (_ALL, "have two returns", "vmap returns the output and out_dims: the batch axis of the output."),
    (
        _ALL,
        ".vmap() takes",
        "vmap is called with info, in_dims and the arguments of apply, without self. Is it static?",
    ),
]

_KNOWN: list[tuple[str, str | None, str]] = [
    (
        "must override the setup_context",
        "no-setup-context",
        "the Function has no setup_context.",
    ),
    (
        "does not have vmap support",
        "no-vmap-rule",
        "the Function has neither a vmap static method nor generate_vmap_rule.",
    ),
    (
        "would mutate a captured Tensor",
        "mutates-input",
        "an operation writes into a tensor that the caller of the transform still holds.",
    ),
    ("You must implement the jvp function", "no-jvp", "the Function has no jvp static method."),
    (
        "You must implement either the backward",
        None,
        "torch.func calls backward; it does not accept vjp as another name for it.",
    ),
]
