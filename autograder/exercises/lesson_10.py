"""Lesson 10, gradients of one's own choosing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from autograder.arguments import Arguments, black_box
from autograder.exercise import Exercise, FunctionExercise
from autograder.exercises.pullbacks import gradient_of

if TYPE_CHECKING:
    from torch import Tensor

LESSON = 10


def _between_integers(generator: np.random.Generator) -> Sequence[Arguments]:
    """Return numbers that round up and down, of both signs, none near the middle."""

    def near(shape: tuple[int, ...]) -> np.ndarray:
        whole = generator.integers(-3, 4, shape)
        found: np.ndarray = whole + generator.uniform(0.1, 0.4, shape) * np.resize([1.0, -1.0], shape)
        return found

    return [(near((3, 4)),), (near((5,)),), (near((1,)),)]


def _with_black_boxes(generator: np.random.Generator) -> Sequence[Arguments]:
    shapes = ((2, 3), (4,), (5, 1, 2))
    names = generator.permutation(["tanh", "gaussian", "cubic", "chirp", "rational"])
    return [
        (generator.standard_normal(shape), black_box(str(name)), generator.uniform(0.01, 0.03))
        for shape, name in zip(shapes, names, strict=False)
    ]


def _differences(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    """Return the pullback by central differences, whose slope has a slope of its own."""
    x, fn, eps = arguments
    at = x.detach()
    slope = (fn(at + eps) - fn(at - eps)) / (2 * eps)
    slope_of_slope = (fn(at + 2 * eps) - 2 * fn(at) + fn(at - 2 * eps)) / (4 * eps * eps)
    return [cotangents[0] * (slope + slope_of_slope * (x - at)), None, None]


def _fixed_point(w: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """Solve z = tanh(W z + b + x) so that autograd knows the first and second derivative.

    Newton's method from the solution itself, its matrix held fixed, gains one order of the inputs with each
    step.
    """
    import torch

    weight, bias, drive = (tensor.detach().numpy() for tensor in (w, b, x))
    settled = np.zeros_like(drive)
    for _ in range(60):
        settled = np.tanh(settled @ weight.T + bias + drive)
    slope = np.eye(len(weight), dtype=weight.dtype) - (1 - settled**2)[..., None] * weight
    newton, z = torch.from_numpy(np.linalg.inv(slope)), torch.from_numpy(settled)
    for _ in range(2):
        z = z + (newton @ (torch.tanh(z @ w.T + b + x) - z)[..., None])[..., 0]
    return z


def _one_step(w: Tensor, b: Tensor, x: Tensor) -> Tensor:
    import torch

    return torch.tanh(_fixed_point(w, b, x).detach() @ w.T + b + x)


def _not_transposed(axis: int) -> Callable[..., Tensor]:
    """Return what has the gradients that the equation for them gives with W in place of its transpose.

    The slope of tanh multiplies the rows of W (axis 0) or its columns (axis 1).
    """

    def forward(w: Tensor, b: Tensor, x: Tensor) -> Tensor:
        import torch

        z = _fixed_point(w, b, x).detach()
        slope = (1 - z * z)[..., None] if axis == 0 else (1 - z * z)[..., None, :]
        system = torch.eye(len(b), dtype=z.dtype) - (w * slope).detach()
        ahead = torch.tanh(z @ w.T + b + x)
        return cast("Tensor", torch.linalg.solve(system.mT, ahead[..., None])[..., 0])

    return forward


def _transposed_for_w(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    for_w, _, _ = gradient_of(_fixed_point)(arguments, cotangents)
    return [None if for_w is None else for_w.T, None, None]


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
        (weights(1), normal(1), normal(1)),
    ]


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
            (generator.standard_normal(5), int(generator.integers(2, 9))),
            (generator.standard_normal(1), 0),
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
            (generator.standard_normal(25), 1),
            (generator.standard_normal((2, 1)), 0.2),
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
        samples=_with_black_boxes,
        second_order_tolerance=1e-2,
    ),
    FunctionExercise(
        id="fixed_point",
        lesson=LESSON,
        signature="(w, b, x)",
        summary="the z with z = tanh(W z + b + x), by implicit differentiation",
        points={"forward": 1, "contract": 1, "gradient": 3, "memory": 0.5, "second order": 0.5},
        parameters=("w", "b", "x"),
        forward=_fixed_point,
        small=(np.array([[0.3, 0.1], [0.0, -0.2]]), np.array([0.1, -0.2]), np.array([0.5, 0.4])),
        keeps=("w", "b", "x", "output"),
        saves_at_most=_bytes_of_the_equation,
        lookalikes={
            "differentiates-one-step": [gradient_of(_one_step)],
            "missing-transpose": [
                *(gradient_of(_not_transposed(axis)) for axis in (0, 1)),
                _transposed_for_w,
            ],
        },
        samples=_contractions,
        tolerance=1e-6,
        second_order_tolerance=1e-6,
    ),
)
