"""Lesson 10, gradients of one's own choosing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import Exercise, FunctionExercise
from autograder.exercises import wrong_fixed_point
from autograder.exercises.pullbacks import of_first
from autograder.exercises.wrong_fixed_point import fixed_point
from vjpcheck.arguments import Arguments, black_box
from vjpcheck.spec import Lookalike

if TYPE_CHECKING:
    from torch import Tensor

LESSON = 10


def _near_integers(generator: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Return numbers that round up and down, of both signs, none near the middle."""
    whole = generator.integers(-3, 4, shape)
    found: np.ndarray = whole + generator.uniform(0.1, 0.4, shape) * np.resize([1.0, -1.0], shape)
    return found


def _between_integers(generator: np.random.Generator) -> Sequence[Arguments]:
    near = [(_near_integers(generator, shape),) for shape in ((3, 4), (2, 2, 2), (1,))]
    whole = generator.choice(np.arange(-900.0, -5.0), (2, 2), replace=False)  # the output equals x
    return [*near, (whole,)]


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


def _with_black_boxes(generator: np.random.Generator) -> Sequence[Arguments]:
    shapes = ((2, 3), (1,), (2, 2, 2))
    names = generator.permutation(["tanh", "gaussian", "cubic", "chirp", "rational"])
    return [
        (generator.standard_normal(shape), black_box(str(name)), generator.uniform(0.01, 0.03))
        for shape, name in zip(shapes, names, strict=False)
    ]


def _with_the_identity(generator: np.random.Generator) -> Sequence[Arguments]:
    return [(generator.standard_normal((3, 1)), black_box("identity"), 0.02)]


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


def _contractions(generator: np.random.Generator) -> Sequence[Arguments]:
    """Return weights of norm 0.4 at most, for which any iteration settles soon."""

    def weights(n: int) -> np.ndarray:
        w = generator.standard_normal((n, n))
        scaled: np.ndarray = generator.uniform(0.3, 0.4) * w / np.linalg.norm(w, 2)
        return scaled

    def normal(*shape: int) -> np.ndarray:
        return generator.standard_normal(shape)

    return [
        (weights(3), normal(3), normal(3)),
        (weights(4), normal(4), normal(2, 4)),
        # each iteration gains the factor 0.4 alone: twelve are too few for six digits
        (generator.uniform(0.399, 0.4, (1, 1)), 0.01 * normal(1), 0.01 * normal(1, 1)),
    ]


def _at_rest(generator: np.random.Generator) -> Sequence[Arguments]:
    """Return a row of zeros, whose solution is 0, beside another one, and alone: a change relative to 0."""
    w = np.diag(generator.uniform(0.3, 0.4, 2))
    rows = np.stack([np.zeros(2), generator.standard_normal(2)])
    return [(w, np.zeros(2), rows), (w, np.zeros(2), rows[:1])]


def _bytes_of_the_equation(arguments: Sequence[Any]) -> int:
    """Return the size of what the equation for the gradient is made of: two matrices and three vectors a row.

    Iterations until it settles would take more.
    """
    x = arguments[2]
    return int(x.nbytes * (2 * x.shape[-1] + 3))


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        id="round_ste",
        lesson=LESSON,
        signature="(x)",
        summary="round x, with the gradient of the identity",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        parameters=("x",),
        forward=lambda x: x.round(),
        small=(np.array([0.4, 1.6, -2.3]),),
        pullback=lambda arguments, cotangents: [cotangents[0]],
        samples=_between_integers,
        compared_once=lambda generator: [
            (_near_integers(generator, shape),) for shape in ((3, 1), (1, 2, 1))
        ],
    ),
    FunctionExercise(
        id="gradient_reversal",
        lesson=LESSON,
        signature="(x, strength)",
        summary="x, with the gradient −strength·g",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        parameters=("x", "strength"),
        forward=lambda x, strength: x.clone(),
        small=(np.array([1.0, 2.0]), 0.5),
        pullback=lambda arguments, cotangents: [-arguments[1] * cotangents[0], None],
        samples=lambda generator: [
            (generator.standard_normal((3, 4)), generator.uniform(0.2, 0.8)),
            (generator.standard_normal((2, 2, 2)), int(generator.integers(2, 9))),
            (generator.standard_normal(1), 0),
            (generator.standard_normal((3, 3)), -generator.uniform(0.2, 0.8)),
        ],
        compared_once=lambda generator: [
            (generator.standard_normal((3, 1)), 1.5),
            (generator.standard_normal((1, 2, 1)), -2),
        ],
    ),
    FunctionExercise(
        id="clip_gradient",
        lesson=LESSON,
        signature="(x, limit)",
        summary="x, with its gradient clamped to ±limit",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        parameters=("x", "limit"),
        forward=lambda x, limit: x.clone(),
        small=(np.array([1.0, -2.0, 3.0]), 0.5),
        pullback=lambda arguments, cotangents: [
            cotangents[0].clamp(-arguments[1], arguments[1]),
            None,
        ],
        samples=lambda generator: [
            (generator.standard_normal((4, 6)), generator.uniform(0.3, 0.6)),
            (generator.standard_normal((3, 3, 3)), 1),
            (generator.standard_normal(1), 0.2),
        ],
        compared_once=lambda generator: [
            (generator.standard_normal((3, 1)), 0.4),
            (generator.standard_normal((1, 2, 1)), 2),
        ],
        lookalikes=[
            Lookalike("wrong-limit", of_first(gradient), told) for told, gradient in WRONG_LIMITS.items()
        ],
    ),
    FunctionExercise(
        id="finite_difference",
        lesson=LESSON,
        signature="(x, fn, eps)",
        summary="fn(x) elementwise, backward by central differences",
        points={"forward": 0.5, "contract": 0.5, "gradient": 3, "second order": 1},
        parameters=("x", "fn", "eps"),
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
                f"The points are {told} apart, but the difference is divided by 2·eps.",
            )
            for step, told in ((0.5, "eps"), (2, "4·eps"))
        ]
        + [
            Lookalike(
                "wrong-operand",
                of_first(lambda g, x, fn, eps, of=of: g * _central(x.detach(), fn, eps * of(x.detach()))),
                f"The step is {told}, not eps.",
            )
            for told, of in RELATIVE_STEPS.items()
        ],
        samples=_with_black_boxes,
        compared_once=_with_the_identity,
        second_order_tolerance=1e-2,
    ),
    FunctionExercise(
        id="fixed_point",
        lesson=LESSON,
        signature="(w, b, x)",
        summary="the z with z = tanh(W z + b + x), by implicit differentiation",
        points={"forward": 1, "contract": 1, "gradient": 3, "memory": 0.5, "second order": 0.5},
        parameters=("w", "b", "x"),
        forward=fixed_point,
        small=(np.array([[0.3, 0.1], [0.0, -0.2]]), np.array([0.1, -0.2]), np.array([0.5, 0.4])),
        keeps=("w", "b", "x", "output"),
        saves_at_most=_bytes_of_the_equation,
        lookalikes=wrong_fixed_point.LOOKALIKES,
        samples=_contractions,
        compared_once=_at_rest,
        bounded=("w",),
        scaled=(10.0,),  # an iteration stops when its changes are small in absolute terms
        tolerance=1e-6,
        second_order_tolerance=1e-6,
    ),
)
