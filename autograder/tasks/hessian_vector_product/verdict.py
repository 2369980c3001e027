"""Judges hessian_vector_product: its numbers, and that nothing as large as the Hessian is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch

from autograder.other_variant import OTHER_VARIANT
from autograder.tasks.findings import (
    difference,
    disturbed,
    gradient_finding,
    handed_over,
    raised,
    wrong,
)
from autograder.tasks.hessian_vector_product.functions import FUNCTIONS
from autograder.tasks.hessian_vector_product.probe import run
from autograder.tasks.inputs import drawn
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.numbers import EXACT, close
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

STEEP = "(sum of squares)**2 + sum of sin(100000 x) / 10**10"
CASES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("rosenbrock", (5,)),
    ("quadratic", (4,)),
    ("sum of sines times sum of squares", (2, 3)),
    ("quadratic", (2, 2)),
    ("sum of sines times sum of squares", ()),
    ("quadratic", (1,)),
    (STEEP, (3,)),
)
SIZE = 60
# Two backward passes are enough; a few more do no harm. A Hessian takes one a row.
PASSES = 20
GRAPH = "The gradient must be differentiated again. Which argument of torch.autograd.grad records its graph?"
SUMMED = "the sum of the rows of H, times the sum of v"
SUM_FIRST = "the sum of the rows of H, multiplied by v entry by entry"
DIAGONAL = "the product of v with the diagonal of H alone"
NAMES = {SUMMED: "cotangent-summed", SUM_FIRST: "diagonal-only", DIAGONAL: "diagonal-only"}
STEP = "A finite difference is wrong where the function changes within its step. Differentiate twice instead."
TWICE = "Which scalar function of the gradient and v has the gradient H v?"


def _product(
    probe: ProbeClient, generator: np.random.Generator, scale: float = 1.0, damping: float = 0.0
) -> Iterator[Finding]:
    """Compare with scale·H v + damping·v."""
    asked = Asked(scale, damping)
    calls: list[Any] = [("x1**2 + 3 x1 x2", np.array([1.0, 2.0]), np.array([1.0, 10.0]), False)]
    calls += [
        (fn, *drawn(generator, shape, shape, planted=planted), False)
        for planted in (False, True)
        for fn, shape in CASES
    ]
    calls += [
        ("quadratic", np.zeros(4), *drawn(generator, (4,)), False),
        ("sum of sines times sum of squares", *drawn(generator, (2, 3), (2, 3)), True),
        calls[0],  # nothing is left over from the calls in between
    ]
    answers = probe.ask([run(*call) for call in calls])
    found = [answer["product"] for answer in answers]
    true = [asked.of(_times(_hessian(fn, x), v), v) for fn, x, v, _ in calls]
    if all(
        one is not None and one.shape == other.shape and close(one * one.size, other)
        for one, other in zip(found, true, strict=True)
    ):
        told = "The result is always the true one divided by the number of entries of x."
        yield wrong(told, "mean-instead-of-sum", "x", TWICE)
        return
    wrong_ones = [
        fn
        for (fn, *_), one, other in zip(calls, found, true, strict=True)
        if one is None or one.shape != other.shape or not close(one, other, EXACT)
    ]
    if {*wrong_ones} == {STEEP}:
        yield wrong(
            f"H v is right but for {STEEP}, whose slope changes within a short step.",
            "not-precise",
            "x",
            STEP,
        )
        return
    for (fn, x, v, _), answer in zip(calls, answers, strict=True):
        given = f"{fn} at x of shape {x.shape}" + ("" if v.any() else " and v = 0")
        yield from handed_over(answer["handed_over"], given)
        if "error" in answer or answer["product"] is None:
            lost = Message.WITHOUT_HISTORY.find(answer["error"]["message"])
            found_instead = raised(answer["error"], given, GRAPH if lost else "")
            wrapped = answer["error"]["type"] == "WrongReturn"
            yield replace(found_instead, mistake="gradient-not-a-tensor") if wrapped else found_instead
            return
        yield from disturbed(answer["changes"], given)
        yield from _against_truth(fn, x, v, answer["product"], given, asked)


class Asked(NamedTuple):
    """What is asked for: scale·H v + damping·v."""

    scale: float
    damping: float

    def of(self, product: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return it for what stands in the place of H v."""
        return self.scale * product + self.damping * v if self.damping else self.scale * product

    @property
    def name(self) -> str:
        """Return it as a formula."""
        scale = "" if self.scale == 1 else f"{self.scale:g} "
        sign = "−" if self.damping < 0 else "+"
        return f"{scale}H v" + (f" {sign} {abs(self.damping):g} v" if self.damping else "")


def _hessian(fn: str, x: np.ndarray) -> np.ndarray:
    """Return H with one row and one column for each entry of x."""
    found = torch.autograd.functional.hessian(FUNCTIONS[fn], torch.tensor(x))
    return np.asarray(found).reshape(x.size, x.size)


def _times(hessian: np.ndarray, v: np.ndarray) -> np.ndarray:
    product: np.ndarray = hessian @ v.ravel()
    return product.reshape(v.shape)


def _against_truth(
    fn: str, x: np.ndarray, v: np.ndarray, found: np.ndarray, given: str, asked: Asked
) -> Iterator[Finding]:
    point = torch.tensor(x, requires_grad=True)
    hessian = _hessian(fn, x)
    product = _times(hessian, v)
    truth = asked.of(product, v)
    if found.shape == truth.shape and close(found, truth, EXACT):
        return
    gradient = torch.autograd.grad(FUNCTIONS[fn](point), point)[0].numpy()
    others = {
        "the gradient times v": gradient * v,
        "the inner product of the gradient and v, not its derivative": np.sum(gradient * v),
        "the gradient itself": gradient,
        "v·H·v": np.sum(product * v),
        "the sum of the rows of H, for every v": hessian.sum(0).reshape(x.shape),
        SUMMED: hessian.sum(0).reshape(x.shape) * v.sum(),
        SUM_FIRST: hessian.sum(0).reshape(x.shape) * v,
        DIAGONAL: np.diag(hessian).reshape(x.shape) * v,
    }
    others = {what: asked.of(np.asarray(other), v) for what, other in others.items()}
    others["the Hessian without the product with v"] = hessian
    if asked.scale != 1 and asked.damping and found.shape == product.shape and close(found, product):
        yield wrong(f"{OTHER_VARIANT}: H v. Your notebook asks for this: {asked.name}.", None, "x", TWICE)
        return
    if found.shape == truth.shape and not np.isfinite(found).all():
        message = f"For {given}, {asked.name} is not finite: {difference(found, truth)}"
        yield wrong(message, "not-finite", "x", "Where do you divide, and by what?")
        return
    for what, other in others.items():
        if close(found, other):
            yield wrong(f"For {given}, the result is {what}.", NAMES.get(what), "x", TWICE)
            return
    if found.shape != truth.shape:
        yield wrong(
            f"For {given} the result has shape {found.shape}: it should have the shape of x.", None, "x"
        )
    elif not found.any():
        yield wrong(f"For {given} the result is zero: {difference(found, truth)}", None, "x", GRAPH)
    else:
        yield gradient_finding(f"For {given}, {asked.name}", found, truth, "x")


def _no_hessian(
    probe: ProbeClient, generator: np.random.Generator, scale: float = 1.0, damping: float = 0.0
) -> Iterator[Finding]:
    x, v = drawn(generator, (SIZE,), (SIZE,))
    answer = probe.ask_one(run("chain of tanh", x, v))
    if "error" in answer:
        yield raised(answer["error"], f"an x of {SIZE} elements")
    elif answer["largest"] >= SIZE * SIZE:
        message = f"For an x of {SIZE} elements a tensor of {answer['largest']} elements is created."
        yield wrong(f"{message} That is as large as the Hessian.", hint=TWICE)
    elif answer["passes"] > PASSES:
        message = (
            f"For an x of {SIZE} elements, you differentiate fn {answer['passes']} times: H is built by rows."
        )
        yield wrong(message, hint=TWICE)


CHECKS = {"product": _product, "no Hessian": _no_hessian}
