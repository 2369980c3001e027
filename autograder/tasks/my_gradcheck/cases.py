"""Right and wrong Functions on which my_gradcheck must agree with torch.autograd.gradcheck.

Every disagreement is far beyond the tolerances, and every agreement far within them, except in TOLERANCES.
Those lie on either side of |a − n| ≤ atol + rtol·|n|, and each separates this rule from a similar one. A
similar rule takes the larger of the two terms in place of their sum, is relative to backward's value a,
compares a norm or a mean in place of every entry, excludes the boundary, or computes n by another formula.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

Shapes = tuple[tuple[int, ...], ...]
DEFAULTS = (1e-6, 1e-5, 1e-3)  # eps, atol, rtol of torch.autograd.gradcheck


class Kind(NamedTuple):
    """The names of tensors, a formula of them, and the right pullback; PyTorch's own functions have none."""

    names: str
    formula: str
    pullback: str = ""


@dataclass(frozen=True)
class Case:
    """A function of tensors of these shapes; `frozen` are positions that do not require grad.

    Its pullback is the right one, unless another is there. The inputs are drawn, unless `at` gives them;
    `by_columns` lays them out by columns. The case's name completes the sentence: for a Function … A wrong
    verdict gets the `hint`, and the `mistake` if it has only one possible cause. `accepted` is a pullback
    that gradcheck accepts where it refuses the right one.
    """

    kind: Kind
    shapes: Shapes
    pullback: str = ""
    tolerances: tuple[float, float, float] = DEFAULTS
    frozen: tuple[int, ...] = ()
    hint: str = "Which entries of the two Jacobians differ here? Do you compare each of them?"
    at: tuple[tuple[float, ...], ...] | None = None
    by_columns: bool = False
    mistake: str | None = None
    accepted: str = ""

    @property
    def function(self) -> Kind:
        """Return the function of the case."""
        return self.kind._replace(pullback=self.pullback or self.kind.pullback)

    def twin(self, verdict: bool, times: float) -> tuple[str, Case]:
        """Return a case with the other verdict, and its name; the two differ in their gradients only.

        Those of the twin are the right ones, or `times` the right ones.
        """
        names, formula, right = self.kind
        if not verdict:
            at = ((2.0,),) if self.at and not right else self.at
            named = f"that is right ({formula})" if not self.accepted else "that gradcheck accepts"
            return named, replace(self, pullback=self.accepted, at=at, mistake=None)
        if right:
            changed = replace(self, pullback=re.sub(r"\bg\b", f"({times} * g)", right), mistake=None)
        else:
            detached = f"(lambda y: y + {1 - times:.3f} * (y.detach() - y))({formula})"
            changed = replace(self, kind=Kind(names, detached), mistake=None)
        return f"whose gradient is {times} times the true one ({formula})", changed


NAN = "The comparisons <, <=, > and >= with nan are all False."
INPUTS = "There is one Jacobian per input. How many of them do you compare?"
VIEW = "Which tensor do you write to? What fn returns may be a view of an input."
FROZEN_INPUTS = "gradcheck checks only inputs that require grad."

ONE, TWO, THREE = ((2, 3),), ((3,), (3,)), ((3,), (3,), (3,))
SQUARE = Kind("x", "x * x", "2 * g * x")
PRODUCT = Kind("a, b", "a * b", "g * b, g * a")
OF_THREE = Kind("a, b, c", "a * b * c", "g * b * c, g * a * c, g * a * b")
MATMUL = Kind("x, w", "x @ w.T", "g @ w, g.T @ x")
BIASED = Kind("x, bias", "x + bias", "g, g")
ROTATION = Kind("x", "x[[1, 2, 0]]", "g[[2, 0, 1]]")  # of two entries, each is its own inverse
WRONG_FOR_B = "g * b, g * b"
WRONG_FLAG = "g * b if needed[1] else None, g * a if needed[1] else None"

RIGHT: dict[str, Case] = {
    "that is right (x*x)": Case(SQUARE, ONE),
    "of two inputs that is right (a*b)": Case(PRODUCT, TWO),
    "that is right (x @ w.T)": Case(MATMUL, ((2, 3), (4, 3))),
    "that is right, with an output of one element (x.sum())": Case(
        Kind("x", "x.sum()", "g.expand(x.shape)"), ONE
    ),
    "that is right and has the Jacobian of a rotation": Case(ROTATION, ((3,),)),
    "of an input with one element that is right": Case(SQUARE, ((),)),
    "of PyTorch's own (sin(x) * y)": Case(Kind("x, y", "sin(x) * y"), ((3,), (2, 3))),
    "of PyTorch's own that returns a view of its input (x[1:])": Case(Kind("x", "x[1:]"), ((3, 2),)),
    "of PyTorch's own that returns a view of its second input (b[1:])": Case(
        Kind("a, b", "b[1:]"), ((2,), (3,)), hint=VIEW
    ),
    "of PyTorch's own whose output does not depend on b (a**3)": Case(Kind("a, b", "a**3"), ((2,), (3,))),
    "that leaves a sum to the engine, which computes it": Case(BIASED, ((2, 3), (3,))),
    "that is right (x*x), at an x that is the transpose of a matrix": Case(
        SQUARE, ((3, 2),), by_columns=True
    ),
}
WRONG: dict[str, Case] = {
    "whose gradient is twice the true one": Case(SQUARE, ONE, "4 * g * x"),
    "whose gradient has the wrong sign": Case(SQUARE, ONE, "-2 * g * x"),
    "whose gradient is zero": Case(SQUARE, ONE, "0 * g * x"),
    **{
        f"whose gradient is wrong only in its {which} entry": Case(
            SQUARE, ONE, f"g * (2 * x + 0.5 * (arange(x.numel()).reshape(x.shape) == {place}))"
        )
        for which, place in {"first": "0", "last": "x.numel() - 1"}.items()
    },
    "whose gradient has one entry that is nan": Case(
        SQUARE, ONE, "where(x == x.max(), nan, 2 * g * x)", hint=NAN
    ),
    "of PyTorch's own that is nan, as is its derivative (x.sqrt() at x = -1)": Case(
        Kind("x", "sqrt(x)"), ((1,),), at=((-1.0,),), hint=NAN
    ),
    "whose gradient is right for the first input and wrong for the second": Case(
        PRODUCT, TWO, WRONG_FOR_B, hint=INPUTS
    ),
    "that returns None for an input that the output depends on": Case(
        PRODUCT, TWO, "g * b, None", hint=INPUTS, mistake="missing-gradient"
    ),
    **{
        f"of three inputs whose gradient is wrong only for the {which}": Case(
            OF_THREE, THREE, f"{k} * g * b * c, {m} * g * a * c, {n} * g * a * b", hint=INPUTS
        )
        for which, (k, m, n) in {
            "first": (1.2, 1.0, 1.0),
            "second": (1.0, 1.2, 1.0),
            "third": (1.0, 1.0, 1.2),
        }.items()
    },
    "whose two gradients are swapped": Case(PRODUCT, TWO, "g * a, g * b"),
    "that multiplies by a square matrix instead of its transpose": Case(
        MATMUL, ((2, 3), (3, 3)), "g @ w.T, g.T @ x"
    ),
    "whose Jacobian has its rows in another order": Case(
        ROTATION, ((3,),), "g[[1, 2, 0]]", mistake="cotangent-summed"
    ),
    "that adds to one entry of the gradient what it leaves out of another": Case(
        Kind("x", "x * 1.0", "g * 1.0"), ((3,),), "g + tensor([0.5, -0.5, 0.0]).to(g) * g[1]"
    ),
    "whose gradient does not depend on the cotangent": Case(SQUARE, ONE, "2 * x"),
    "that takes a mean instead of a sum": Case(BIASED, ((2, 3), (3,)), "g, g.mean(0)"),
    "that gives a gradient although the output does not depend on x": Case(
        Kind("a, x", "a * 1.0", "g, None"), TWO, "g, g", hint=INPUTS
    ),
}
FROZEN: dict[str, Case] = {
    f"{name}, where {'ab'[frozen]} does not require grad": Case(
        kind, ((3,),) * len(kind.names.split()), pullback, frozen=(frozen,), hint=FROZEN_INPUTS
    )
    for name, kind, pullback, frozen in (
        ("that is right (a*b)", PRODUCT, "", 1),
        ("that is right (a*b)", PRODUCT, "", 0),
        ("with a wrong gradient for a", PRODUCT, "g * a, None", 1),
        ("that computes the gradient for a only if b requires grad", PRODUCT, WRONG_FLAG, 1),
        ("with a wrong gradient only for b", PRODUCT, WRONG_FOR_B, 1),
        ("with a wrong gradient for b", PRODUCT, WRONG_FOR_B, 0),
        ("with a wrong gradient for c", OF_THREE, "g * b * c, g * a * c, 1.2 * g * a * b", 1),
    )
}

TOLERANCE = "Two numbers a and n are close if |a − n| ≤ atol + rtol·|n|."
ENTRIES = "The rule applies to each entry of the Jacobian, with the n of that entry."
STEP = "How large is the error of a central difference with this eps?"
ONE_SIDED = "one-sided-difference"
SIDES = "A central difference of x*x is exact for every eps. On which two sides do you call fn?"

EPS = 0.25  # with it differences of small integers are exact
FOURTH = Kind("x", "x**4", "g * 4 * x**3")


def _linear(slope: float, returned: float, atol: float, rtol: float) -> Case:
    """Return slope·x with a backward for another slope."""
    kind = Kind("x", f"{slope} * x", f"{slope} * g")
    return Case(kind, ONE, f"{returned} * g", (1e-6, atol, rtol), hint=TOLERANCE)


def _square(pullback: str, *tolerances: float) -> Case:
    eps, atol, rtol = tolerances
    return Case(SQUARE, ONE, f"g * ({pullback})", (eps, atol, rtol), hint=TOLERANCE)


def _fourth(pullback: str, eps: float, accepted: str = "") -> Case:
    return Case(FOURTH, ONE, pullback, (eps, 1e-5, 1e-3), hint=STEP, accepted=accepted)


def _central(eps: float) -> str:
    """Return the pullback of x**4 by a central difference."""
    return f"g * (4 * x**3 + 4 * x * {eps}**2)"


_own = replace(_square("2.001 * x", *DEFAULTS), shapes=((),), at=((3.0,),))
_integers = Case(
    Kind("x", "1.0 * x", "1.0 * g"), ((3,),), "", (EPS, 0.0, 0.0), hint=TOLERANCE, at=((1.0, 2.0, 4.0),)
)
_sides = replace(_square("2 * x", EPS, 1e-5, 1e-3), hint=SIDES, mistake=ONE_SIDED)

TOLERANCES: dict[str, Case] = {
    "that returns 6.003 for 6, at rtol = 1e-3": _own,
    "that returns 6.003 for 6, at rtol = 1e-4": replace(_own, tolerances=(1e-6, 1e-5, 1e-4)),
    "whose gradient is 1 + 1e-4 times the true one": _square("2 * (1 + 1e-4) * x", *DEFAULTS),
    "whose gradient is 1 + 1e-4 times the true one, at rtol = 1e-6": _square(
        "2 * (1 + 1e-4) * x", 1e-6, 1e-6, 1e-6
    ),
    "whose gradient is 1 + 1e-2 times the true one, at atol = 0.3": _square(
        "2 * (1 + 1e-2) * x", 1e-6, 0.3, 1e-9
    ),
    # more than either term, less than their sum; then more than their sum
    "that returns 2.3 for 2, at atol = 0.2 and rtol = 0.1": _linear(2, 2.3, 0.2, 0.1),
    "that returns 2.5 for 2, at atol = 0.2 and rtol = 0.1": _linear(2, 2.5, 0.2, 0.1),
    # relative to n: a is larger in one and smaller in the other
    "that returns 3 for 2, at rtol = 0.45": replace(_linear(2, 3.0, 1e-6, 0.45), mistake="wrong-operand"),
    "that returns 1.2 for 2, at rtol = 0.45": replace(_linear(2, 1.2, 1e-6, 0.45), mistake="wrong-operand"),
    "that returns −2.5 for −2, at rtol = 0.4": _linear(-2, -2.5, 1e-6, 0.4),
    "that returns −2 for 2, at rtol = 0.5": _linear(2, -2.0, 1e-6, 0.5),
    "that returns (100, 1.5) for (100, 1), at rtol = 0.1": Case(
        Kind("x", "x * tensor([100.0, 1.0]).to(x)", "g * tensor([100.0, 1.0]).to(g)"),
        ((2,),),
        "g * tensor([100.0, 1.5]).to(g)",
        (1e-6, 1e-6, 0.1),
        hint=ENTRIES,
    ),
    "that returns 2.3 for 2 in six entries, at atol = 0.35": replace(
        _linear(2, 2.3, 0.35, 1e-9), hint=ENTRIES
    ),
    # exactly on the boundary
    "that is right (x), at integers, atol = 0 and rtol = 0": _integers,
    "that returns 1.5 for 1, at integers and atol = 0.5": replace(
        _integers, pullback="1.5 * g", tolerances=(EPS, 0.5, 0.0)
    ),
    # n by another formula, or with another step
    "that is right (x*x), at eps = 0.25": _sides,
    "whose backward is a one-sided difference, at eps = 0.25": replace(
        _sides, pullback=f"g * (2 * x + {EPS})"
    ),
    "whose backward is a one-sided difference to the left, at eps = 0.25": replace(
        _sides, pullback=f"g * (2 * x - {EPS})"
    ),
    "that is right (x**4), at eps = 0.5": _fourth("", 0.5, _central(0.5)),
    "that is right (x**4), at eps = 1e-4": _fourth("", 1e-4),
    "whose backward is a central difference of x**4, at eps = 0.25": _fourth(_central(EPS), EPS),
}
