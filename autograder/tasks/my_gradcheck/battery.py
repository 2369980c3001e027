"""Right and wrong Functions on which my_gradcheck must agree with torch.autograd.gradcheck.

Every disagreement of a wrong one is far beyond the tolerances, and every agreement far within them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from autograder.tasks.functions import custom
from autograder.tasks.my_gradcheck.case import Case
from autograder.tasks.my_gradcheck.tolerances import TOLERANCES

NAN = "The comparisons <, <=, > and >= with nan are all False."
INPUTS = "There is one Jacobian per input. How many of them do you compare?"
VIEW = "Which tensor do you write to? What fn returns may be a view of an input."
FROZEN_INPUTS = "gradcheck checks only inputs that require grad."


def _square(times: float = 1.0) -> Callable[..., Tensor]:
    return custom(lambda x: x * x, lambda g, x: times * 2 * g * x)


def _wrong_at(entry: int) -> Callable[..., Tensor]:
    def pullback(g: Tensor, x: Tensor) -> Tensor:
        gradient = (2 * g * x).reshape(-1)
        gradient[entry] += 0.5 * g.reshape(-1)[entry]
        return gradient.reshape(x.shape)

    return custom(lambda x: x * x, pullback)


def _nan(g: Tensor, x: Tensor) -> Tensor:
    return torch.where(x == x.max(), torch.nan, 2 * g * x)


def _product_of_three(*times: float) -> Callable[..., Tensor]:
    """Return a*b*c elementwise, with each gradient multiplied by one of `times`."""
    k, m, n = times
    return custom(lambda a, b, c: a * b * c, lambda g, a, b, c: (k * g * b * c, m * g * a * c, n * g * a * b))


class _ProductByWrongFlag(Function):
    """a*b elementwise; backward asks for one input whether the other requires grad."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        a, b = ctx.saved_tensors
        needed = ctx.needs_input_grad
        return grad_output * b if needed[1] else None, grad_output * a if needed[1] else None


_TURN = [1, 2, 0]  # no permutation of two entries: those are their own inverses
_product = custom(lambda a, b: a * b, lambda g, a, b: (g * b, g * a))
_half_right = custom(lambda a, b: a * b, lambda g, a, b: (g * b, g * b))
_matmul = custom(lambda x, w: x @ w.T, lambda g, x, w: (g @ w, g.T @ x))
_biased = custom(lambda x, bias: x + bias, lambda g, x, bias: (g, g))

RIGHT: dict[str, Case] = {
    "that is right (x*x)": Case(_square(), ((2, 3),)),
    "of two inputs that is right (a*b)": Case(_product, ((3,), (3,))),
    "that is right (x @ w.T)": Case(_matmul, ((2, 3), (4, 3))),
    "that is right, with an output of one element (x.sum())": Case(
        custom(lambda x: x.sum(), lambda g, x: g.expand(x.shape)), ((2, 3),)
    ),
    "that is right and has the Jacobian of a rotation": Case(
        custom(lambda x: x[_TURN], lambda g, x: torch.zeros_like(x).index_add(0, torch.tensor(_TURN), g)),
        ((3,),),
    ),
    "of an input with one element that is right": Case(_square(), ((),)),
    "of PyTorch's own (sin(x) * y)": Case(lambda x, y: torch.sin(x) * y, ((3,), (2, 3))),
    "of PyTorch's own that returns a view of its input (x[1:])": Case(lambda x: x[1:], ((3, 2),)),
    "of PyTorch's own that returns a view of its second input (b[1:])": Case(
        lambda a, b: b[1:], ((2,), (3,)), hint=VIEW
    ),
    "of PyTorch's own whose output does not depend on b (a**3)": Case(lambda a, b: a**3, ((2,), (3,))),
    "that leaves a sum to the engine, which computes it": Case(_biased, ((2, 3), (3,))),
    "that is right (x*x), at an x that is the transpose of a matrix": Case(
        _square(), ((3, 2),), by_columns=True
    ),
}
WRONG: dict[str, Case] = {
    "whose gradient is twice the true one": Case(_square(2.0), ((2, 3),)),
    "whose gradient has the wrong sign": Case(_square(-1.0), ((2, 3),)),
    "whose gradient is zero": Case(_square(0.0), ((2, 3),)),
    "whose gradient is wrong only in its first entry": Case(_wrong_at(0), ((2, 3),)),
    "whose gradient is wrong only in its last entry": Case(_wrong_at(-1), ((2, 3),)),
    "whose gradient has one entry that is nan": Case(custom(lambda x: x * x, _nan), ((2, 3),), hint=NAN),
    "of PyTorch's own that is nan, as is its derivative (x.sqrt() at x = -1)": Case(
        torch.sqrt, ((1,),), at=((-1.0,),), hint=NAN
    ),
    "whose gradient is right for the first input and wrong for the second": Case(
        _half_right, ((3,), (3,)), hint=INPUTS
    ),
    "that returns None for an input that the output depends on": Case(
        custom(lambda a, b: a * b, lambda g, a, b: (g * b, None)),
        ((3,), (3,)),
        hint=INPUTS,
        mistake="missing-gradient",
    ),
    **{
        f"of three inputs whose gradient is wrong only for the {which}": Case(
            _product_of_three(*times), ((3,),) * 3, hint=INPUTS
        )
        for which, times in {
            "first": (1.2, 1.0, 1.0),
            "second": (1.0, 1.2, 1.0),
            "third": (1.0, 1.0, 1.2),
        }.items()
    },
    "whose two gradients are swapped": Case(
        custom(lambda a, b: a * b, lambda g, a, b: (g * a, g * b)), ((3,), (3,))
    ),
    "that multiplies by a square matrix instead of its transpose": Case(
        custom(lambda x, w: x @ w.T, lambda g, x, w: (g @ w.T, g.T @ x)), ((2, 3), (3, 3))
    ),
    "whose Jacobian has its rows in another order": Case(
        custom(lambda x: x[_TURN], lambda g, x: g[_TURN]), ((3,),), mistake="cotangent-summed"
    ),
    "that adds to one entry of the gradient what it leaves out of another": Case(
        custom(lambda x: x * 1.0, lambda g, x: g + torch.tensor([0.5, -0.5, 0.0]).to(g) * g[1]), ((3,),)
    ),
    "whose gradient does not depend on the cotangent": Case(
        custom(lambda x: x * x, lambda g, x: 2 * x), ((2, 3),)
    ),
    "that takes a mean instead of a sum": Case(
        custom(lambda x, bias: x + bias, lambda g, x, bias: (g, g.mean(0))), ((2, 3), (3,))
    ),
    "that gives a gradient although the output does not depend on x": Case(
        custom(lambda a, x: a * 1.0, lambda g, a, x: (g, g)), ((3,), (3,)), hint=INPUTS
    ),
}
FROZEN: dict[str, Case] = {
    "that is right (a*b), where b does not require grad": Case(
        _product, ((3,), (3,)), frozen=(1,), hint=FROZEN_INPUTS
    ),
    "that is right (a*b), where a does not require grad": Case(
        _product, ((3,), (3,)), frozen=(0,), hint=FROZEN_INPUTS
    ),
    "with a wrong gradient for a, where b does not require grad": Case(
        custom(lambda a, b: a * b, lambda g, a, b: (g * a, None)),
        ((3,), (3,)),
        frozen=(1,),
        hint=FROZEN_INPUTS,
    ),
    "that computes the gradient for a only if b requires grad, which it does not": Case(
        _ProductByWrongFlag.apply, ((3,), (3,)), frozen=(1,), hint=FROZEN_INPUTS
    ),
    "with a wrong gradient only for b, where b does not require grad": Case(
        _half_right, ((3,), (3,)), frozen=(1,), hint=FROZEN_INPUTS
    ),
    "with a wrong gradient for b, where a does not require grad": Case(
        _half_right, ((3,), (3,)), frozen=(0,), hint=FROZEN_INPUTS
    ),
    "with a wrong gradient for c, where b does not require grad": Case(
        _product_of_three(1.0, 1.0, 1.2), ((3,),) * 3, frozen=(1,), hint=FROZEN_INPUTS
    ),
}
_ALL = {**RIGHT, **WRONG, **TOLERANCES, **FROZEN}
# a request says a number, since a name would say the answer; the order of the hashes mixes right and wrong
_MIXED = sorted(_ALL, key=lambda name: hashlib.sha256(name.encode()).digest())
NUMBERS = {name: number for number, name in enumerate(_MIXED)}
CASES = [_ALL[name] for name in _MIXED]
