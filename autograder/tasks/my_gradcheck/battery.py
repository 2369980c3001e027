"""Right and wrong Functions on which my_gradcheck must agree with torch.autograd.gradcheck.

Every disagreement of a wrong one is far beyond the tolerances, and every agreement far within them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from autograder.tasks.functions import custom

Shapes = tuple[tuple[int, ...], ...]
NAN = "Every comparison with nan is False, whichever way round it is asked."
INPUTS = "There is one Jacobian an input; how many of them are compared?"
TOLERANCE = "Two numbers a and n are close if |a − n| ≤ atol + rtol·|n|."
STEP = "How far from the derivative is a central difference with this eps?"
FROZEN_INPUTS = "Which inputs does gradcheck look at? Their requires_grad says it."
DEFAULTS = (1e-6, 1e-5, 1e-3)  # eps, atol, rtol of torch.autograd.gradcheck


@dataclass(frozen=True)
class Case:
    """A function of tensors of these shapes; `frozen` are positions that do not require grad.

    The case's name in BATTERY completes the sentence: for a Function … `hint` is for who gets it wrong.
    """

    fn: Callable[..., Tensor]
    shapes: Shapes
    tolerances: tuple[float, float, float] = DEFAULTS
    frozen: tuple[int, ...] = ()
    hint: str = "Which entries of the two Jacobians differ here, and is each of them compared?"


def _square(times: float = 1.0) -> Callable[..., Tensor]:
    return custom(lambda x: x * x, lambda g, x: times * 2 * g * x)


def _first_entry_wrong(g: Tensor, x: Tensor) -> Tensor:
    gradient = 2 * g * x
    gradient.view(-1)[0] += 0.5 * g.reshape(-1)[0]
    return gradient


def _nan(g: Tensor, x: Tensor) -> Tensor:
    return torch.where(x == x.max(), torch.nan, 2 * g * x)


_TURN = [1, 2, 0]  # no permutation of two entries: those are their own inverses
_product = custom(lambda a, b: a * b, lambda g, a, b: (g * b, g * a))
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
    "that leaves a sum to the engine, which makes it": Case(_biased, ((2, 3), (3,))),
}
WRONG: dict[str, Case] = {
    "whose gradient is twice the true one": Case(_square(2.0), ((2, 3),)),
    "whose gradient has the wrong sign": Case(_square(-1.0), ((2, 3),)),
    "whose gradient is zero": Case(_square(0.0), ((2, 3),)),
    "whose gradient is wrong in its first entry alone": Case(
        custom(lambda x: x * x, _first_entry_wrong), ((2, 3),)
    ),
    "whose gradient has one entry that is nan": Case(custom(lambda x: x * x, _nan), ((2, 3),), hint=NAN),
    "whose gradient is right for the first input and not for the second": Case(
        custom(lambda a, b: a * b, lambda g, a, b: (g * b, g * b)), ((3,), (3,)), hint=INPUTS
    ),
    "that returns None for an input that counts": Case(
        custom(lambda a, b: a * b, lambda g, a, b: (g * b, None)), ((3,), (3,)), hint=INPUTS
    ),
    "whose two gradients are in each other's place": Case(
        custom(lambda a, b: a * b, lambda g, a, b: (g * a, g * b)), ((3,), (3,))
    ),
    "that multiplies by a square matrix where its transpose is due": Case(
        custom(lambda x, w: x @ w.T, lambda g, x, w: (g @ w.T, g.T @ x)), ((2, 3), (3, 3))
    ),
    "whose Jacobian has its rows in another order": Case(
        custom(lambda x: x[_TURN], lambda g, x: g[_TURN]), ((3,),)
    ),
    "whose gradient does not depend on the cotangent": Case(
        custom(lambda x: x * x, lambda g, x: 2 * x), ((2, 3),)
    ),
    "that takes a mean where a sum is due": Case(
        custom(lambda x, bias: x + bias, lambda g, x, bias: (g, g.mean(0))), ((2, 3), (3,))
    ),
}
TOLERANCES: dict[str, Case] = {
    "whose gradient is 1 + 1e-4 times the true one": Case(_square(1 + 1e-4), ((2, 3),), hint=TOLERANCE),
    "whose gradient is 1 + 1e-4 times the true one, at rtol = 1e-6": Case(
        _square(1 + 1e-4), ((2, 3),), (1e-6, 1e-6, 1e-6), hint=TOLERANCE
    ),
    "whose gradient is 1 + 1e-2 times the true one, at atol = 0.3": Case(
        _square(1 + 1e-2), ((2, 3),), (1e-6, 0.3, 1e-9), hint=TOLERANCE
    ),
    "that is right (x**4), at eps = 0.5": Case(
        custom(lambda x: x**4, lambda g, x: 4 * g * x**3), ((2, 3),), (0.5, 1e-5, 1e-3), hint=STEP
    ),
}
FROZEN: dict[str, Case] = {
    "that is right (a*b), where b does not require grad": Case(
        _product, ((3,), (3,)), frozen=(1,), hint=FROZEN_INPUTS
    ),
    "with a wrong gradient for a, where b does not require grad": Case(
        custom(lambda a, b: a * b, lambda g, a, b: (g * a, None)),
        ((3,), (3,)),
        frozen=(1,),
        hint=FROZEN_INPUTS,
    ),
}
BATTERY = {**RIGHT, **WRONG, **TOLERANCES, **FROZEN}
