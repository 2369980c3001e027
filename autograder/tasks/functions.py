"""Functions of tensors, which student code calls as fn, by name: only the name is sent to its process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


def custom(forward: Callable[..., Tensor], pullback: Callable[..., Any]) -> Callable[..., Tensor]:
    """Return `apply` of a Function with this forward and this backward, right or wrong.

    `pullback` takes the cotangent and the inputs and returns what backward returns.
    """

    class Custom(Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Tensor) -> Tensor:
            ctx.save_for_backward(*inputs)
            return forward(*inputs)

        @staticmethod
        def backward(ctx: Any, grad_output: Tensor) -> Any:
            return pullback(grad_output, *ctx.saved_tensors)

    return Custom.apply


STEEP = 1e5


def _steep(x: Tensor) -> Tensor:
    """Return a sum of a slow and a fast term, each with derivatives of size 1: no step suits both."""
    return x**3 + torch.sin(STEEP * x) / STEEP


# Powers above the second: there a one-sided difference, a central one and the derivative all differ.
FUNCTIONS: dict[str, Callable[..., Tensor]] = {
    "a**3": lambda a: a**3,
    "a * b": lambda a, b: a * b,
    "a**2, without b": lambda a, b: a**2,
    "x**4": lambda x: x**4,
    "x + 1, whose backward returns the cotangent itself": lambda x: x + 1,
    "x.T": lambda x: x.T,
    "x[1:]": lambda x: x[1:],
    "b.expand(2, *b.shape), without a": lambda a, b: b.expand(2, *b.shape),
    "b[1:], a view, without a": lambda a, b: b[1:],
    "x**3 + sin(100000 x) / 100000": _steep,
    "(x**4).sum()": lambda x: (x**4).sum(),
    "(x**3).T": lambda x: (x**3).T,
    "(x @ w.T)**3": lambda x, w: (x @ w.T) ** 3,
    "a**3 * b**4": lambda a, b: a**3 * b**4,
    "exp(s) * x**3": lambda s, x: torch.exp(s) * x**3,
    "a**3, without b": lambda a, b: a**3,
    "a * b**2 + c**3": lambda a, b, c: a * b**2 + c**3,
    "a Function whose backward is wrong": custom(lambda x: x**3, lambda g, x: 5 * g * x),
    "a Function that returns None for b": custom(
        lambda a, b: a**3 * b, lambda g, a, b: (3 * g * a * a * b, None)
    ),
}
