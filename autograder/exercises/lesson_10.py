"""Lesson 10, custom gradients.

The family of `round_ste` chooses how numbers are rounded, to multiples of what, and the gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import FunctionExercise, of_lesson
from autograder.exercises import wrong_fixed_point
from autograder.exercises.draws import AT_REST, AXES, contraction
from autograder.exercises.families.expressions import function_of, inserted, times
from autograder.exercises.families.family import Family
from autograder.exercises.pullbacks import of_first
from autograder.exercises.wrong_fixed_point import fixed_point
from vjpcheck.arguments import black_box
from vjpcheck.domain import ANY, Array, Choice, Domain, Real
from vjpcheck.spec import Lookalike

if TYPE_CHECKING:
    from torch import Tensor

HALVES = tuple(whole + 0.5 for whole in range(-4, 4))  # where rounding jumps
BLACK_BOXES = ("tanh", "gaussian", "cubic", "chirp", "rational", "identity")


def _near_integers(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Return numbers that round up and down; in a square whole ones, of which the output is equal to x."""
    if len(shape) > 1 and len(set(shape)) == 1:
        return random.choice(np.arange(-900.0, 900.0), shape, replace=False)
    near: np.ndarray = random.integers(-3, 4, shape) + random.uniform(0.1, 0.4, shape) * np.resize(
        [1.0, -1.0, -1.0], shape
    )
    return near


def in_steps(chosen: Any) -> str:
    """Return x in units of the step to whose multiples it is rounded."""
    step = chosen["step"]
    return times(1 / step, "x") if step <= 1 else f"x/{step}"


def surrogate(chosen: Any) -> str:
    """Return the formula of the derivative that takes the place of the true one."""
    return inserted(chosen["slope"], x=in_steps(chosen))


def _stepwise(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    formula = times(chosen["step"], f"{chosen['function']}({in_steps(chosen)})")
    slope, end = function_of(surrogate(chosen), ("x",)), 3.4 * chosen["step"]
    off = HALVES if chosen["function"] == "round" else ()
    return {
        "summary": f"{formula}, with the gradient g*({surrogate(chosen)})",
        "domain": Domain({"x": Array("...", -end, end, off=off)}, lead=AXES),
        "forward": function_of(formula, ("x",)),
        "small": (chosen["step"] * (numbers.integers(-1, 2, 3) + np.array([0.25, 1.75, -1.25])),),
        "pullback": of_first(lambda g, x: g * slope(x)),
    }


# for each sentence the gradient, from the cotangent and the arguments
WRONG_LIMITS: dict[str, Callable[[Tensor, Tensor, float], Tensor]] = {
    "The cotangent passes without a limit.": lambda g, x, limit: g,
    "The gradient is limited only from above.": lambda g, x, limit: g.clamp(max=limit),
    "The gradient is limited only from below.": lambda g, x, limit: g.clamp(min=-limit),
    "Entries of the cotangent beyond the limit become 0.": lambda g, x, limit: g * (g.abs() <= limit),
    "The cotangent is multiplied by limit.": lambda g, x, limit: g * limit,
    "Each entry of the gradient is ±limit.": lambda g, x, limit: g.sign() * limit,
    "The whole cotangent is scaled until its norm is at most limit.": lambda g, x, limit: (
        g * (limit / g.norm()).clamp(max=1)
    ),
    "Each row of the cotangent is scaled until its norm is at most limit.": lambda g, x, limit: (
        g * (limit / g.norm(dim=-1, keepdim=True)).clamp(max=1)
    ),
    "The whole cotangent is scaled until its norm is limit.": lambda g, x, limit: g * (limit / g.norm()),
    "The whole cotangent is scaled until its largest entry is at most limit.": lambda g, x, limit: (
        g * (limit / g.abs().max()).clamp(max=1)
    ),
    "Negative entries of the cotangent become 0.": lambda g, x, limit: g.clamp(0, limit),
    "The limit is smooth, by tanh: entries below it change too.": lambda g, x, limit: (
        limit * (g / limit).tanh()
    ),
    "The cotangent passes where x is within the limit, and becomes 0 elsewhere.": lambda g, x, limit: (
        g * (x.abs() < limit)
    ),
    "The cotangent passes where x is within the limit, and becomes ±limit elsewhere.": lambda g, x, limit: (
        (x.abs() > limit) * (limit * g.sign()) + (x.abs() <= limit) * g
    ),
    "The cotangent passes where x is within the limit, and is clamped elsewhere.": lambda g, x, limit: (
        (x.abs() > limit) * g.clamp(-limit, limit) + (x.abs() <= limit) * g
    ),
}


RELATIVE_STEPS: dict[str, Callable[[Tensor], Tensor]] = {
    "eps·(1 + |x|)": lambda x: 1 + x.abs(),
    "eps·max(1, |x|)": lambda x: x.abs().clamp(min=1),
    "eps·|x|": lambda x: x.abs(),
}


def _central(x: Tensor, fn: Callable[[Tensor], Tensor], step: Tensor | float) -> Tensor:
    return (fn(x + step) - fn(x - step)) / (2 * step)


def _differences(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    """Return the pullback by central differences, whose slope has a slope of its own."""
    x, fn, eps = arguments
    at = x.detach()
    slope = _central(at, fn, eps)
    slope_of_slope = (fn(at + 2 * eps) - 2 * fn(at) + fn(at - 2 * eps)) / (4 * eps * eps)
    return [cotangents[0] * (slope + slope_of_slope * (x - at)), None, None]


def _bytes_of_the_equation(arguments: Sequence[Any]) -> int:
    """Return the size of what the equation for the gradient is made of: two matrices and three vectors a row.

    Iterations until it settles would take more.
    """
    x = arguments[2]
    return int(x.nbytes * (2 * x.shape[-1] + 3))


EXERCISES = of_lesson(
    10,
    Family(
        id="round_ste",
        work_name="InSteps",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        choices={
            "function": ("round", "floor", "ceil", "trunc"),
            "step": (1, 2, 4, 0.5, 0.25),
            "slope": ("1", "1/(1 + x**2)", "1 - tanh(x)**2", "exp(-x**2)"),
        },
        make=_stepwise,
        own={
            "summary": "round x, with the gradient of the identity",
            "domain": Domain({"x": Array("...", -3.4, 3.4, off=HALVES, draw=_near_integers)}, lead=AXES),
            "small": (np.array([0.4, 1.6, -2.3]),),
        },
        apart=lambda chosen: chosen["function"] != "round" or chosen["step"] == 1,
    ),
    FunctionExercise(
        id="gradient_reversal",
        summary="x, with the gradient −strength·g",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        domain=Domain({"x": Array("..."), "strength": Real(0.2, 0.8, also=(0, 3, -0.4))}, lead=AXES),
        forward=lambda x, strength: x.clone(),
        small=(np.array([1.0, 2.0]), 0.5),
        pullback=lambda arguments, cotangents: [-arguments[1] * cotangents[0], None],
    ),
    FunctionExercise(
        id="clip_gradient",
        summary="x, with its gradient clamped to ±limit",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        domain=Domain({"x": Array("..."), "limit": Real(0.3, 0.6, also=(1, 2, 0.2))}, lead=AXES),
        forward=lambda x, limit: x.clone(),
        small=(np.array([1.0, -2.0, 3.0]), 0.5),
        pullback=lambda arguments, cotangents: [
            cotangents[0].clamp(-arguments[1], arguments[1]),
            None,
        ],
        lookalikes=[
            Lookalike("wrong-limit", of_first(gradient), sentence)
            for sentence, gradient in WRONG_LIMITS.items()
        ],
    ),
    FunctionExercise(
        id="finite_difference",
        summary="fn(x) elementwise, backward by central differences",
        points={"forward": 0.5, "contract": 0.5, "gradient": 3, "second order": 1},
        domain=Domain(
            {
                "x": Array("..."),
                "fn": Choice(tuple(map(black_box, BLACK_BOXES))),
                "eps": Real(0.01, 0.03),
            },
            lead=AXES,
        ),
        forward=lambda x, fn, eps: fn(x.detach()),
        small=(np.array([0.5, -1.0]), black_box("cubic"), 0.01),
        pullback=_differences,
        lookalikes=[
            Lookalike(
                "one-sided-difference",
                of_first(
                    lambda g, x, fn, eps, side=side: (
                        g * side * (fn(x.detach() + side * eps) - fn(x.detach())) / eps
                    )
                ),
                f"The gradient is the one-sided difference between x and x {sign} eps.",
            )
            for side, sign in ((1, "+"), (-1, "−"))
        ]
        + [
            Lookalike(
                "wrong-factor",
                of_first(
                    lambda g, x, fn, eps, step=step: (
                        g * (fn(x.detach() + step * eps) - fn(x.detach() - step * eps)) / (2 * eps)
                    )
                ),
                f"The points are {distance} apart, but the difference is divided by 2·eps.",
            )
            for step, distance in ((0.5, "eps"), (2, "4·eps"))
        ]
        + [
            Lookalike(
                "wrong-operand",
                of_first(lambda g, x, fn, eps, of=of: g * _central(x.detach(), fn, eps * of(x.detach()))),
                f"The step is {size}, not eps.",
            )
            for size, of in RELATIVE_STEPS.items()
        ],
        second_order_tolerance=1e-2,
    ),
    FunctionExercise(
        id="fixed_point",
        summary="the z with z = tanh(W z + b + x), by implicit differentiation",
        points={"forward": 1, "contract": 1, "gradient": 3, "memory": 0.5, "second order": 0.5},
        domain=Domain(
            {
                "w": Array("n n", draw=contraction, scales=()),
                "b": Array("n", scales=AT_REST),
                "x": Array("... n", scales=AT_REST),
            },
            lead=(0, 1),
            long=(ANY,),
        ),
        forward=fixed_point,
        small=(np.array([[0.3, 0.1], [0.0, -0.2]]), np.array([0.1, -0.2]), np.array([0.5, 0.4])),
        keeps=("w", "b", "x", "output"),
        saves_at_most=_bytes_of_the_equation,
        lookalikes=wrong_fixed_point.LOOKALIKES,
        tolerance=1e-6,
        second_order_tolerance=1e-6,
    ),
)
