"""Judges hessian_vector_product: its numbers, and that nothing as large as the Hessian is made."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from autograder.numbers import EXACT, close
from autograder.protocol import ProbeClient
from autograder.result import Finding
from autograder.tasks.findings import difference, disturbed, gradient_finding, handed_over, raised, wrong
from autograder.tasks.hessian_vector_product.functions import FUNCTIONS
from autograder.tasks.hessian_vector_product.probe import run

CASES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("rosenbrock", (5,)),
    ("quadratic", (4,)),
    ("sum of sines times sum of squares", (2, 3)),
    ("quadratic", (2, 2)),
    ("sum of sines times sum of squares", ()),
    ("quadratic", (1,)),
    ("(sum of squares)**2 + sum of sin(100000 x) / 10**10", (3,)),
)
SIZE = 60
# Two backward passes are enough; a few more do no harm. A Hessian takes one a row.
PASSES = 20
GRAPH = "The gradient has to be differentiated again: which argument of torch.autograd.grad keeps its graph?"
TWICE = "Which scalar, made of the gradient and v, has H v as its gradient?"


def _product(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    draw = generator.standard_normal
    calls = [
        ("x1**2 + 3 x1 x2", np.array([1.0, 2.0]), np.array([1.0, 10.0]), False),
        *((fn, np.asarray(draw(shape)), np.asarray(draw(shape)), False) for fn, shape in CASES),
        ("quadratic", np.zeros(4), draw(4), False),
        ("rosenbrock", np.array([2.0, 2.0, 0.0]), np.array([3.0, 0.0, 3.0]), False),
        ("sum of sines times sum of squares", draw((2, 3)), draw((2, 3)), True),
    ]
    calls.append(calls[0])  # nothing is left over from the calls in between
    for (fn, x, v, _), answer in zip(calls, probe.ask([run(*call) for call in calls]), strict=True):
        given = f"{fn} at x of shape {x.shape}"
        if answer["handed_over"]:
            yield handed_over("PyTorch", answer["handed_over"], given)
        if "error" in answer or answer["product"] is None:
            lost = "does not require grad and does not have a grad_fn" in answer["error"]["message"]
            yield raised(answer["error"], given, GRAPH if lost else "")
            return
        yield from disturbed(answer["changes"], given)
        yield from _against_truth(fn, x, v, answer["product"], given)


def _against_truth(fn: str, x: np.ndarray, v: np.ndarray, found: np.ndarray, given: str) -> Iterator[Finding]:
    point = torch.tensor(x, requires_grad=True)
    hessian = torch.autograd.functional.hessian(FUNCTIONS[fn], point).numpy().reshape(x.size, x.size)
    truth = (hessian @ v.ravel()).reshape(x.shape)
    if found.shape == truth.shape and close(found, truth, EXACT):
        return
    gradient = torch.autograd.grad(FUNCTIONS[fn](point), point)[0].numpy()
    others = {
        "the gradient times v": gradient * v,
        "the inner product of the gradient and v, and not yet its derivative": np.sum(gradient * v),
        "the gradient itself": gradient,
        "v·H·v": np.sum(truth * v),
        "the sum of the rows of H, whatever v": hessian.sum(0).reshape(x.shape),
        "the Hessian, not yet multiplied by v": hessian,
    }
    if found.shape == truth.shape and close(found, np.diag(hessian).reshape(x.shape) * v):
        yield wrong(f"For {given}, only the diagonal of H is multiplied by v.", "diagonal-only", "x")
        return
    for what, other in others.items():
        if found.shape == np.shape(other) and close(found, np.asarray(other)):
            yield wrong(f"For {given}, what comes back is {what}.", None, "x", TWICE)
            return
    if found.shape != truth.shape:
        yield wrong(f"For {given} the result has shape {found.shape}: H v has the shape of x.", None, "x")
    elif not found.any():
        yield wrong(f"For {given} the result is zero: {difference(found, truth)}", None, "x", GRAPH)
    else:
        yield gradient_finding(f"For {given}, H v", found, truth, "x")


def _no_hessian(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    x, v = generator.standard_normal(SIZE), generator.standard_normal(SIZE)
    answer = probe.ask_one(run("chain of tanh", x, v))
    if "error" in answer:
        yield raised(answer["error"], f"an x of {SIZE} elements")
    elif answer["largest"] >= SIZE * SIZE:
        message = f"For an x of {SIZE} elements a tensor of {answer['largest']} elements is made on the way."
        yield wrong(f"{message} That is the Hessian, or as large.", hint=TWICE)
    elif answer["passes"] > PASSES:
        message = (
            f"For an x of {SIZE} elements fn is differentiated {answer['passes']} times: H is built by rows."
        )
        yield wrong(message, hint=TWICE)


CHECKS = {"product": _product, "no Hessian": _no_hessian}
