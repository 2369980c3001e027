"""Functions on either side of |a − n| ≤ atol + rtol·|n|, each between this rule and one that resembles it.

Resembling rules take the larger of the two terms in place of their sum, are relative to what backward gives,
look at a norm or a mean in place of every entry, leave the boundary out, or measure n otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from autograder.tasks.functions import custom
from autograder.tasks.my_gradcheck.case import Case

TOLERANCE = "Two numbers a and n are close if |a − n| ≤ atol + rtol·|n|."
ENTRIES = "The rule applies to each entry of the Jacobian, with the n of that entry."
STEP = "How large is the error of a central difference with this eps?"
ONE_SIDED = "one-sided-difference"
SIDES = "A central difference of x*x is exact for every eps. On which two sides do you call fn?"

EPS = 0.25  # with it differences of small integers are exact


def _linear(slope: float, returned: float) -> Callable[..., Tensor]:
    """Return slope·x, whose backward takes the slope for another one."""
    return custom(lambda x: slope * x, lambda g, x: returned * g)


def _linear_case(slope: float, returned: float, atol: float, rtol: float) -> Case:
    return Case(_linear(slope, returned), ((2, 3),), (1e-6, atol, rtol), hint=TOLERANCE)


def _square(pullback: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    return custom(lambda x: x * x, lambda g, x: g * pullback(x))


def _steep_and_flat(g: Tensor, x: Tensor) -> Tensor:
    return g * torch.tensor([100.0, 1.5], dtype=x.dtype)


_own = Case(_square(lambda x: 2.001 * x), ((),), (1e-6, 1e-5, 1e-3), hint=TOLERANCE, at=((3.0,),))
_integers = ((1.0, 2.0, 4.0),)
_fourth_power = custom(lambda x: x**4, lambda g, x: g * 4 * x**3)

TOLERANCES: dict[str, Case] = {
    "that returns 6.003 for 6, at rtol = 1e-3": _own,
    "that returns 6.003 for 6, at rtol = 1e-4": replace(_own, tolerances=(1e-6, 1e-5, 1e-4)),
    "whose gradient is 1 + 1e-4 times the true one": Case(
        _square(lambda x: 2 * (1 + 1e-4) * x), ((2, 3),), hint=TOLERANCE
    ),
    "whose gradient is 1 + 1e-4 times the true one, at rtol = 1e-6": Case(
        _square(lambda x: 2 * (1 + 1e-4) * x), ((2, 3),), (1e-6, 1e-6, 1e-6), hint=TOLERANCE
    ),
    "whose gradient is 1 + 1e-2 times the true one, at atol = 0.3": Case(
        _square(lambda x: 2 * (1 + 1e-2) * x), ((2, 3),), (1e-6, 0.3, 1e-9), hint=TOLERANCE
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
        _square(lambda x: 2 * x), ((2, 3),), (EPS, 1e-5, 1e-3), hint=SIDES, mistake=ONE_SIDED
    ),
    "whose backward is a one-sided difference, at eps = 0.25": Case(
        _square(lambda x: 2 * x + EPS), ((2, 3),), (EPS, 1e-5, 1e-3), hint=SIDES, mistake=ONE_SIDED
    ),
    "whose backward is a one-sided difference to the left, at eps = 0.25": Case(
        _square(lambda x: 2 * x - EPS), ((2, 3),), (EPS, 1e-5, 1e-3), hint=SIDES, mistake=ONE_SIDED
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
