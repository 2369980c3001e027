"""Does the Function work under torch.func and in forward mode, and agree there with the native forward?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.errors import StudentError, tell
from autograder.function import requests
from autograder.function.case import Case, Sample
from autograder.mistakes import named
from autograder.numbers import close, furthest, ratio
from autograder.protocol import Request
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.answers import Transformed

BATCH = 5


def setup_context(case: Case) -> Iterator[Finding]:
    """Look for the static method that torch.func needs."""
    if not case.ask_one(requests.declared())["setup_context"]:
        message = "forward takes ctx; torch.func needs a forward without it, and setup_context beside it."
        yield named("no-setup-context", "setup_context", None, message)


def jvp(case: Case) -> Iterator[Finding]:
    """Push a tangent forward, by torch.func and by dual numbers."""
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
        yield Finding("vmap", "The vmap static method is asked for, and PyTorch's own rule is used.")
    if rule == "generated" and not declared["generate_vmap_rule"]:
        yield Finding("vmap", "generate_vmap_rule is asked for, and a vmap static method is used.")


def composed(case: Case) -> Iterator[Finding]:
    """Compose the transforms: whole Jacobians in both modes, batches of derivatives."""
    jacobians = ["torch.func.vjp", "torch.func.jacrev", "torch.func.jacfwd"]
    batches = ["torch.vmap of the gradient", "torch.func.grad of torch.vmap", "torch.func.jvp of torch.vmap"]
    yield from _compare(case, "transforms", [*jacobians, *batches])


def hessian(case: Case) -> Iterator[Finding]:
    """Differentiate twice; forward over forward is left out, where PyTorch itself is wrong."""
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
            yield _error(check, name, answer["error"])
            continue
        truth, found = transformed(name, case.exercise.forward, point), answer["output"]
        if found is None or found.shape != truth.shape:
            shape = None if found is None else found.shape
            message = f"{name} gives an array of shape {shape} and not {truth.shape}."
            yield Finding(check, message, None, None, HINT_AXES if "vmap" in name else "")
        elif not close(found, truth):
            yield _wrong(check, name, found, truth)


HINT_AXES = "in_dims says where the batch is in each argument; out_dims says where it is in each output."


def _wrong(check: str, name: str, found: np.ndarray, truth: np.ndarray) -> Finding:
    entry = furthest(found, truth)
    message = (
        f"{name} gives another result than for the native function: "
        f"entry {list(map(int, entry))} is {found[entry]:.6g} and should be {truth[entry]:.6g}."
    )
    if check == "jvp":
        times = ratio(found, truth)
        if times is not None:
            mistake = "wrong-sign" if abs(times + 1) < 1e-6 else "wrong-factor"
            return named(mistake, check, None, f"{message} The tangent is {times:.4g} times the true one.")
    return Finding(check, message, None, None, HINT_AXES if "vmap" in name else "")


def _error(check: str, name: str, error: StudentError) -> Finding:
    said = error["message"]
    for text, mistake, message in _KNOWN:
        if text in said:
            return named(mistake, check, None, f"{name} cannot be used: {message}")
    hint = ""
    if "not enough values to unpack" in said and check == "jvp":
        hint = "What jvp finds in ctx.saved_tensors is what save_for_forward was given."
    return Finding(check, tell(error), None, None, hint)


_KNOWN: list[tuple[str, str | None, str]] = [
    (
        "must override the setup_context",
        "no-setup-context",
        "a Function without setup_context is in the way.",
    ),
    (
        "does not have vmap support",
        "no-vmap-rule",
        "there is neither a vmap static method nor a generated rule.",
    ),
    ("You must implement the jvp function", "no-jvp", "there is no jvp static method."),
    (
        "You must implement either the backward",
        None,
        "torch.func calls backward, and vjp is no other name for it.",
    ),
]
