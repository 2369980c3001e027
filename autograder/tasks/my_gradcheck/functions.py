"""Right and wrong Functions on which my_gradcheck must agree with torch.autograd.gradcheck.

Every disagreement is far beyond the tolerances, and every agreement far within them, except in TOLERANCES.
Those lie on either side of |a − n| ≤ atol + rtol·|n|, and each separates this rule from a similar one. A
similar rule takes the larger of the two terms in place of their sum, is relative to backward's value a,
compares a norm or a mean in place of every entry, excludes the boundary, or computes n by another formula.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from autograder.tasks.functions import custom

Shapes = tuple[tuple[int, ...], ...]
DEFAULTS = (1e-6, 1e-5, 1e-3)  # eps, atol, rtol of torch.autograd.gradcheck


@dataclass(frozen=True)
class Case:
    """A function of tensors of these shapes; `frozen` are positions that do not require grad.

    The inputs are drawn, unless `at` gives them; `by_columns` lays them out by columns. The case's
    name completes the sentence: for a Function … A wrong verdict gets the `hint`, and the `mistake`
    if it has only one possible cause.
    """

    fn: Callable[..., Tensor]
    shapes: Shapes
    tolerances: tuple[float, float, float] = DEFAULTS
    frozen: tuple[int, ...] = ()
    hint: str = "Which entries of the two Jacobians differ here? Do you compare each of them?"
    at: tuple[tuple[float, ...], ...] | None = None
    by_columns: bool = False
    mistake: str | None = None


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
    """a*b elementwise; backward tests for a whether b requires grad."""

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

TOLERANCE = "Two numbers a and n are close if |a − n| ≤ atol + rtol·|n|."
ENTRIES = "The rule applies to each entry of the Jacobian, with the n of that entry."
STEP = "How large is the error of a central difference with this eps?"
ONE_SIDED = "one-sided-difference"
SIDES = "A central difference of x*x is exact for every eps. On which two sides do you call fn?"

EPS = 0.25  # with it differences of small integers are exact


def _linear(slope: float, returned: float) -> Callable[..., Tensor]:
    """Return slope·x with a backward for another slope."""
    return custom(lambda x: slope * x, lambda g, x: returned * g)


def _linear_case(slope: float, returned: float, atol: float, rtol: float) -> Case:
    return Case(_linear(slope, returned), ((2, 3),), (1e-6, atol, rtol), hint=TOLERANCE)


def _square_by(pullback: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    return custom(lambda x: x * x, lambda g, x: g * pullback(x))


def _steep_and_flat(g: Tensor, x: Tensor) -> Tensor:
    return g * torch.tensor([100.0, 1.5], dtype=x.dtype)


_own = Case(_square_by(lambda x: 2.001 * x), ((),), (1e-6, 1e-5, 1e-3), hint=TOLERANCE, at=((3.0,),))
_integers = ((1.0, 2.0, 4.0),)
_fourth_power = custom(lambda x: x**4, lambda g, x: g * 4 * x**3)

TOLERANCES: dict[str, Case] = {
    "that returns 6.003 for 6, at rtol = 1e-3": _own,
    "that returns 6.003 for 6, at rtol = 1e-4": replace(_own, tolerances=(1e-6, 1e-5, 1e-4)),
    "whose gradient is 1 + 1e-4 times the true one": Case(
        _square_by(lambda x: 2 * (1 + 1e-4) * x), ((2, 3),), hint=TOLERANCE
    ),
    "whose gradient is 1 + 1e-4 times the true one, at rtol = 1e-6": Case(
        _square_by(lambda x: 2 * (1 + 1e-4) * x), ((2, 3),), (1e-6, 1e-6, 1e-6), hint=TOLERANCE
    ),
    "whose gradient is 1 + 1e-2 times the true one, at atol = 0.3": Case(
        _square_by(lambda x: 2 * (1 + 1e-2) * x), ((2, 3),), (1e-6, 0.3, 1e-9), hint=TOLERANCE
    ),
    # more than either term, less than their sum; then more than their sum
    "that returns 2.3 for 2, at atol = 0.2 and rtol = 0.1": _linear_case(2, 2.3, 0.2, 0.1),
    "that returns 2.5 for 2, at atol = 0.2 and rtol = 0.1": _linear_case(2, 2.5, 0.2, 0.1),
    # relative to n: a is larger in one and smaller in the other
    "that returns 3 for 2, at rtol = 0.45": replace(
        _linear_case(2, 3.0, 1e-6, 0.45), mistake="wrong-operand"
    ),
    "that returns 1.2 for 2, at rtol = 0.45": replace(
        _linear_case(2, 1.2, 1e-6, 0.45), mistake="wrong-operand"
    ),
    "that returns −2.5 for −2, at rtol = 0.4": _linear_case(-2, -2.5, 1e-6, 0.4),
    "that returns −2 for 2, at rtol = 0.5": _linear_case(2, -2.0, 1e-6, 0.5),
    "that returns (100, 1.5) for (100, 1), at rtol = 0.1": Case(
        custom(lambda x: x * torch.tensor([100.0, 1.0], dtype=x.dtype), _steep_and_flat),
        ((2,),),
        (1e-6, 1e-6, 0.1),
        hint=ENTRIES,
    ),
    "that returns 2.3 for 2 in six entries, at atol = 0.35": replace(
        _linear_case(2, 2.3, 0.35, 1e-9), hint=ENTRIES
    ),
    # exactly on the boundary
    "that is right (x), at integers, atol = 0 and rtol = 0": Case(
        _linear(1.0, 1.0), ((3,),), (EPS, 0.0, 0.0), hint=TOLERANCE, at=_integers
    ),
    "that returns 1.5 for 1, at integers and atol = 0.5": Case(
        _linear(1.0, 1.5), ((3,),), (EPS, 0.5, 0.0), hint=TOLERANCE, at=_integers
    ),
    # n by another formula, or with another step
    "that is right (x*x), at eps = 0.25": Case(
        _square_by(lambda x: 2 * x), ((2, 3),), (EPS, 1e-5, 1e-3), hint=SIDES, mistake=ONE_SIDED
    ),
    "whose backward is a one-sided difference, at eps = 0.25": Case(
        _square_by(lambda x: 2 * x + EPS), ((2, 3),), (EPS, 1e-5, 1e-3), hint=SIDES, mistake=ONE_SIDED
    ),
    "whose backward is a one-sided difference to the left, at eps = 0.25": Case(
        _square_by(lambda x: 2 * x - EPS), ((2, 3),), (EPS, 1e-5, 1e-3), hint=SIDES, mistake=ONE_SIDED
    ),
    "that is right (x**4), at eps = 0.5": Case(_fourth_power, ((2, 3),), (0.5, 1e-5, 1e-3), hint=STEP),
    "that is right (x**4), at eps = 1e-4": Case(_fourth_power, ((2, 3),), (1e-4, 1e-5, 1e-3), hint=STEP),
    "whose backward is a central difference of x**4, at eps = 0.25": Case(
        custom(lambda x: x**4, lambda g, x: g * (4 * x**3 + 4 * x * EPS**2)),
        ((2, 3),),
        (EPS, 1e-5, 1e-3),
        hint=STEP,
    ),
}

_ALL = {**RIGHT, **WRONG, **TOLERANCES, **FROZEN}
# a request has a number, as a name would reveal the answer; the order of the hashes mixes right and wrong
_MIXED = sorted(_ALL, key=lambda name: hashlib.sha256(name.encode()).digest())
NUMBERS = {name: number for number, name in enumerate(_MIXED)}
CASES = [_ALL[name] for name in _MIXED]
