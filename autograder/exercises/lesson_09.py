"""Lesson 9, the layers of a network: softmax, cross_entropy, layer_norm, conv2d, attention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.arguments import Argument, Arguments
from autograder.exercise import Exercise, FunctionExercise
from autograder.exercises.pullbacks import gradient_of

if TYPE_CHECKING:
    from torch import Tensor

LESSON = 9


def _softmax(x: Tensor, dim: int) -> Tensor:
    import torch

    return torch.softmax(x, dim)


def _softmax_formula(factor: Tensor, g: Tensor, dim: int, mean: bool = False) -> Tensor:
    """Return the pullback of softmax with `factor` where its output belongs."""
    product = factor * g
    return product - factor * (product.mean(dim, True) if mean else product.sum(dim, True))


def _softmax_input_for_output(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    x, dim = arguments
    return _softmax_formula(x, cotangents[0], dim), None


def _softmax_mean(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    x, dim = arguments
    return _softmax_formula(_softmax(x, dim), cotangents[0], dim, mean=True), None


def _softmax_other_axis(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    x, dim = arguments
    other = (dim + 1) % x.ndim
    return _softmax_formula(_softmax(x, dim), cotangents[0], other), None


def _softmax_last_axis(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    x, dim = arguments
    return _softmax_formula(_softmax(x, dim), cotangents[0], -1), None


def _softmax_first_axis(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    x, dim = arguments
    return _softmax_formula(_softmax(x, dim), cotangents[0], 0), None


def _softmax_whole(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    """Return the pullback whose inner sum has no axis and goes over everything."""
    x, dim = arguments
    y, g = _softmax(x, dim), cotangents[0]
    return y * (g - (y * g).sum()), None


def _softmax_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    shapes: list[tuple[tuple[int, ...], int]] = [((3, 4), 1), ((2, 3, 4), -2), ((4, 3), 0), ((4, 1), 0)]
    return [(generator.standard_normal(shape), dim) for shape, dim in shapes]


def _cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    import torch

    return torch.nn.functional.cross_entropy(logits, target)


def _picked(logits: Tensor, target: Tensor) -> Tensor:
    """Return cross entropy without its normaliser, as if the logits were log-probabilities."""
    return -logits.gather(1, target[:, None]).mean()


def _cross_entropy_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    # a class twice, one not at all; targets in no order
    cases = [((3, 5), [4, 0, 4]), ((4, 3), [1, 2, 0, 1]), ((1, 4), [2])]
    return [(generator.standard_normal(shape), np.array(target)) for shape, target in cases]


def _layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
    import torch

    return torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)


def _layer_norm_fixed(x: Tensor, weight: Tensor, bias: Tensor, eps: float, mean: bool, std: bool) -> Tensor:
    """Return layer_norm with the mean or the standard deviation taken for a constant."""
    mu = x.mean(-1, keepdim=True)
    centred = x - (mu.detach() if mean else mu)
    sigma = (x.var(-1, correction=0, keepdim=True) + eps).sqrt()
    normed: Tensor = centred / (sigma.detach() if std else sigma)
    scaled: Tensor = normed * weight + bias
    return scaled


def _layer_norm_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    def drawn(shape: tuple[int, ...], eps: float) -> Arguments:
        size = shape[-1]
        spread = generator.permuted(np.broadcast_to(np.linspace(-1.5, 1.5, size), shape), axis=-1)
        x = spread + generator.uniform(-0.2, 0.2, shape) + generator.standard_normal((*shape[:-1], 1))
        return x, generator.uniform(0.5, 1.5, size), generator.standard_normal(size), eps

    return [drawn((3, 5), 1e-5), drawn((2, 3, 4), 0.3), drawn((1, 3), 0.1)]


def _conv2d(x: Tensor, weight: Tensor, bias: Tensor | None, stride: int, padding: int) -> Tensor:
    import torch

    return torch.nn.functional.conv2d(x, weight, bias, stride, padding)


def _conv2d_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    """Draw strides that leave a border of the image unused, and one that leaves gaps between windows."""

    def drawn(
        x: tuple[int, ...], weight: tuple[int, ...], bias: bool, stride: int, padding: int
    ) -> Arguments:
        normal = generator.standard_normal
        return normal(x), normal(weight), normal(weight[0]) if bias else None, stride, padding

    return [
        drawn((1, 2, 3, 4), (3, 2, 2, 3), True, 1, 0),
        drawn((2, 3, 5, 4), (4, 3, 3, 2), False, 1, 1),
        drawn((2, 1, 5, 6), (3, 1, 2, 3), True, 2, 1),
        drawn((1, 2, 3, 6), (4, 2, 1, 2), True, 3, 0),
    ]


def _attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    import torch

    output: Tensor = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v
    return output


def _linear_in_rows(arguments: Sequence[Argument]) -> int:
    """Return the bytes of two numbers a row of q, and of changed copies of the inputs and of the output."""
    q, k, v = (np.asarray(argument) for argument in arguments)
    rows = q.size // q.shape[-1]
    return int(q.itemsize * (2 * rows + q.size + k.size + v.size + rows * v.shape[-1]))


def _attention_fixed_normaliser(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Return attention with the denominator of the softmax taken for a constant."""
    scores = q @ k.mT / q.shape[-1] ** 0.5
    output: Tensor = (scores - scores.logsumexp(-1, keepdim=True).detach()).exp() @ v
    return output


def _attention_by(arguments: Sequence[Any], cotangents: Sequence[Any], kind: str) -> Sequence[Tensor | None]:
    """Return the gradients for q and k where the pullback of the softmax is a wrong one."""
    import torch

    q, k, v = arguments
    scale = q.shape[-1] ** -0.5
    p = torch.softmax(q @ k.mT * scale, -1)
    g = cotangents[0] @ v.mT
    scores = {
        "diagonal": p * (1 - p) * g,
        "mean": p * (g - (g * p).mean(-1, keepdim=True)),
        "axis": p * (g - (g * p).sum(-2, keepdim=True)),
    }[kind]
    return scores @ k * scale, scores.mT @ q * scale, None


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        id="softmax",
        lesson=LESSON,
        signature="(x, dim)",
        summary="torch.softmax along dim",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        parameters=("x", "dim"),
        forward=_softmax,
        small=(np.log([[1.0, 3.0]]), 1),
        samples=_softmax_samples,
        lookalikes={
            "input-for-output": [_softmax_input_for_output],
            "mean-instead-of-sum": [_softmax_mean],
            "wrong-sum-axis": [_softmax_other_axis, _softmax_last_axis, _softmax_first_axis, _softmax_whole],
        },
    ),
    FunctionExercise(
        id="cross_entropy",
        lesson=LESSON,
        signature="(logits, target)",
        summary="mean cross entropy, integer targets",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        parameters=("logits", "target"),
        forward=_cross_entropy,
        small=(np.log([[1.0, 3.0], [1.0, 1.0]]), np.array([1, 0])),
        samples=_cross_entropy_samples,
        lookalikes={"missing-normaliser-term": [gradient_of(_picked)]},
    ),
    FunctionExercise(
        id="layer_norm",
        lesson=LESSON,
        signature="(x, weight, bias, eps)",
        summary="F.layer_norm over the last axis",
        points={"forward": 1, "contract": 0.5, "gradient": 3, "second order": 0.5},
        parameters=("x", "weight", "bias", "eps"),
        forward=_layer_norm,
        small=(np.array([[0.0, 3.0, 6.0]]), np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.0, -1.0]), 3.0),
        samples=_layer_norm_samples,
        lookalikes={
            "missing-normaliser-term": [
                gradient_of(lambda x, w, b, eps: _layer_norm_fixed(x, w, b, eps, mean=True, std=False)),
                gradient_of(lambda x, w, b, eps: _layer_norm_fixed(x, w, b, eps, mean=False, std=True)),
                gradient_of(lambda x, w, b, eps: _layer_norm_fixed(x, w, b, eps, mean=True, std=True)),
            ]
        },
    ),
    FunctionExercise(
        id="conv2d",
        lesson=LESSON,
        signature="(x, weight, bias?, stride, padding)",
        summary="F.conv2d",
        points={"forward": 1, "contract": 1, "gradient": 2.5, "second order": 0.5},
        parameters=("x", "weight", "bias", "stride", "padding"),
        forward=_conv2d,
        seconds=20.0,  # loops over every entry are right too
        small=(
            np.array([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]]),
            np.array([[[[10.0, 1.0]]]]),
            np.array([0.5]),
            1,
            0,
        ),
        samples=_conv2d_samples,
        lookalikes={
            "conv-not-transposed": [gradient_of(lambda x, w, b, s, p: _conv2d(x, w.flip(2, 3), b, s, p))]
        },
    ),
    FunctionExercise(
        id="attention",
        lesson=LESSON,
        signature="(q, k, v)",
        summary="softmax(qkᵀ/√d) v",
        points={"forward": 0.5, "contract": 0.5, "gradient": 2, "memory": 0.5, "second order": 0.5},
        parameters=("q", "k", "v"),
        forward=_attention,
        seconds=20.0,  # loops over every entry are right too
        small=(np.log([[3.0]]), np.array([[1.0], [0.0]]), np.array([[1.0, 2.0], [5.0, 6.0]])),
        samples=lambda generator: [
            tuple(generator.standard_normal(shape) for shape in shapes)
            for shapes in (
                ((3, 2), (4, 2), (4, 5)),
                ((2, 3, 4), (2, 2, 4), (2, 2, 1)),
                ((1, 2, 2, 3), (1, 2, 4, 3), (1, 2, 4, 1)),
                ((16, 2), (17, 2), (17, 1)),  # many rows, so that a matrix of weights outgrows all the rest
            )
        ],
        keeps=("q", "k", "v", "output"),
        saves_at_most=_linear_in_rows,
        lookalikes={
            "diagonal-only": [lambda arguments, given: _attention_by(arguments, given, "diagonal")],
            "missing-normaliser-term": [gradient_of(_attention_fixed_normaliser)],
            "mean-instead-of-sum": [lambda arguments, given: _attention_by(arguments, given, "mean")],
            "wrong-sum-axis": [lambda arguments, given: _attention_by(arguments, given, "axis")],
        },
    ),
)
