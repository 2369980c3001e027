"""Lesson 9, the layers of a network: softmax, cross_entropy, layer_norm, conv2d, attention.

A family chooses which softmax, loss, norm and attention, with which constants and orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import FunctionExercise, of_lesson
from autograder.exercises import wrong_attention, wrong_layers
from autograder.exercises.draws import both_signs, spread_rows
from autograder.exercises.families.expressions import times
from autograder.exercises.families.family import Family
from autograder.exercises.pullbacks import gradient_of, of_first
from vjpcheck.arguments import Argument
from vjpcheck.domain import Array, Axis, Domain, Index, Integer, Optional, Real
from vjpcheck.spec import Lookalike, PullbackOf

if TYPE_CHECKING:
    from torch import Tensor


def _softmax(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    rate, factor, logarithm = chosen["rate"], chosen["factor"], chosen["kind"] == "log_softmax"

    def forward(x: Tensor, dim: int) -> Tensor:
        import torch

        result: Tensor = factor * getattr(torch, chosen["kind"])(rate * x, dim)
        return result

    def pullback(summed: str, of_input: bool = False) -> PullbackOf:
        """Return the pullback whose inner sum is another one, or has the input in the place of the output."""

        def wrong(g: Tensor, x: Tensor, dim: int) -> Tensor:
            p = x if of_input else (rate * x).softmax(dim)
            inner = g if logarithm else g * p
            total = {
                "sum": lambda: inner.sum(dim, True),
                "mean": lambda: inner.mean(dim, True),
                "next": lambda: inner.sum((dim + 1) % x.ndim, True),
                "last": lambda: inner.sum(-1, True),
                "first": lambda: inner.sum(0, True),
                "whole": lambda: inner.sum(),
            }[summed]()
            gradient: Tensor = factor * rate * (inner - p * total)
            return gradient

        return of_first(wrong)

    inner = f"{chosen['kind']}({times(rate, 'x')})"
    return {
        "summary": f"{times(factor, inner)} along dim",
        "domain": Domain({"x": Array("..."), "dim": Axis("x")}, lead=(1, 5)),
        "forward": forward,
        "small": (np.array([[0.0, float(numbers.choice([1, 2, -1]))]]), 1),
        "lookalikes": [
            Lookalike("input-for-output", pullback("sum", of_input=True)),
            Lookalike("mean-instead-of-sum", pullback("mean")),
            *(Lookalike("wrong-axis", pullback(axis)) for axis in ("next", "last", "first", "whole")),
        ],
    }


def _cross_entropy(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    rate, smoothing, reduction = chosen["rate"], chosen["smoothing"], chosen["reduction"]

    def forward(logits: Tensor, target: Tensor) -> Tensor:
        import torch

        return torch.nn.functional.cross_entropy(
            rate * logits, target, label_smoothing=smoothing, reduction=reduction
        )

    def picked(logits: Tensor, target: Tensor) -> Tensor:
        """Return the loss without its normaliser, as if the logits were log-probabilities."""
        import torch

        classes = logits.shape[1]
        one_hot = torch.nn.functional.one_hot(target, classes).to(logits)
        rows = -(((1 - smoothing) * one_hot + smoothing / classes) * rate * logits).sum(1)
        loss: Tensor = rows.mean() if reduction == "mean" else rows.sum()
        return loss

    smoothed = f", smoothing {smoothing:g}" if smoothing else ""
    logits = np.array([[0.0, float(numbers.choice([1, 2]))], [1.0, 0.0]])
    return {
        "summary": f"{reduction} of the cross entropy of {times(rate, 'logits')}{smoothed}, integer targets",
        "domain": Domain({"logits": Array("n c"), "target": Index("n", below="c")}, wide=("c",)),
        "forward": forward,
        "small": (logits, np.array([1, 0])),
        "lookalikes": [Lookalike("missing-normaliser-term", gradient_of(picked))],
    }


def _norm(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    centred, under = chosen["centred"], chosen["eps"] == "under the root"

    def normed(
        x: Tensor,
        weight: Tensor,
        bias: Tensor,
        eps: float,
        mean_fixed: bool = False,
        size_fixed: bool = False,
    ) -> Tensor:
        """Return the layer, with the mean or the size taken for a constant where that is said."""
        mean = x.mean(-1, keepdim=True) * centred
        away = x - (mean.detach() if mean_fixed else mean)
        squares = away.square().mean(-1, keepdim=True)
        size = (squares + eps).sqrt() if under else squares.sqrt() + eps
        gain = weight if chosen["gain"] == "weight" else 1 + weight
        scaled = away / (size.detach() if size_fixed else size)
        result: Tensor = chosen["factor"] * scaled * gain + bias
        return result

    x = np.array([[0.0, 3.0, 6.0]]) + float(numbers.integers(1, 4))
    weight, bias = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.0, -1.0])
    size = "standard deviation" if centred else "root mean square"
    constants = [(False, True, f"The {size}")]
    if centred:
        constants = [(True, False, "The mean"), *constants, (True, True, f"The mean and the {size}")]
    return {
        "summary": f"{'layer' if centred else 'RMS'} norm over the last axis, gain {chosen['gain']}, "
        f"eps {chosen['eps']}, factor {chosen['factor']}",
        "domain": Domain(
            {
                "x": Array("... n m", draw=spread_rows, zero_lines=under, centred=centred),
                "weight": Array("m", draw=both_signs),
                "bias": Array("m"),
                "eps": Real(0.05, 0.5, also=(1e-5,)),
            },
            at_least={} if under else {"m": 3},  # equal entries have a root of 0
            wide=("m",),
        ),
        "forward": normed,
        "small": (x, weight, bias, 3.0),
        "lookalikes": [
            Lookalike(
                "missing-normaliser-term",
                gradient_of(partial(normed, mean_fixed=mean, size_fixed=size)),
                f"{what} is treated as a constant.",
            )
            for mean, size, what in constants
        ],
    }


def _conv2d(x: Tensor, weight: Tensor, bias: Tensor | None, stride: int, padding: int) -> Tensor:
    import torch

    return torch.nn.functional.conv2d(x, weight, bias, stride, padding)


def _conv2d_reversed(
    x: Tensor, weight: Tensor, bias: Tensor | None, stride: int, padding: int, axes: tuple[int, ...]
) -> Tensor:
    """Return the convolution with the kernel reversed, along both of its axes or along one alone."""
    return _conv2d(x, weight.flip(axes), bias, stride, padding)


SCALES = {"1/√d": -0.5, "1/d": -1.0, "√d": 0.5, "1": 0.0}  # the power of d


def _attention(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    power, factor = SCALES[chosen["scale"]], chosen["factor"]

    def forward(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        import torch

        output: Tensor = factor * (torch.softmax(q @ k.mT * q.shape[-1] ** power, -1) @ v)
        return output

    return {
        "summary": times(factor, "softmax(scores) @ v") + f", scores {chosen['scale']} times qkᵀ",
        "domain": Domain(
            {
                "q": Array("... n d", scales=()),  # very large scores are not asked for
                "k": Array("... m d", scales=()),
                "v": Array("... m e"),
            },
            together=("n", "m"),
            wide=("m",),
        ),
        "forward": forward,
        "seconds": 20.0,  # loops over every entry are right too
        "small": (
            np.array([[float(numbers.choice([1, 2, -1]))]]),
            np.array([[1.0], [0.0]]),
            np.array([[1.0, 2.0], [5.0, 6.0]]),
        ),
        "keeps": ("q", "k", "v", "output"),
        "saves_at_most": _linear_in_rows,
        "lookalikes": wrong_attention.of_any(power, factor),
    }


def _linear_in_rows(arguments: Sequence[Argument]) -> int:
    """Return the bytes of two numbers a row of q, and of changed copies of the inputs and of the output."""
    q, k, v = (np.asarray(argument) for argument in arguments)
    rows = q.size // q.shape[-1]
    return int(q.itemsize * (2 * rows + q.size + k.size + v.size + rows * v.shape[-1]))


EXERCISES = of_lesson(
    9,
    Family(
        id="softmax",
        work_name="ScaledSoftmax",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        choices={
            "kind": ("softmax", "log_softmax"),
            "rate": (1, 2, -1, 0.5, -2),
            "factor": (1, 2, -1, 3, -2),
            "order": ("x, dim", "dim, x"),
        },
        make=_softmax,
        own={
            "summary": "torch.softmax along dim",
            "small": (np.log([[1.0, 3.0]]), 1),
            "lookalikes": wrong_layers.SOFTMAX,
            "terms": wrong_layers.TERMS_OF_SOFTMAX,
        },
    ),
    Family(
        id="cross_entropy",
        work_name="RowCrossEntropy",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        choices={
            "reduction": ("mean", "sum"),
            "rate": (1, 2, 0.5, 3),
            "smoothing": (0, 0.1, 0.2, 0.4),
            "order": ("logits, target", "target, logits"),
        },
        make=_cross_entropy,
        own={
            "summary": "mean cross entropy, integer targets",
            "small": (np.log([[1.0, 3.0], [1.0, 1.0]]), np.array([1, 0])),
            "lookalikes": wrong_layers.CROSS_ENTROPY,
            "terms": wrong_layers.TERMS_OF_CROSS_ENTROPY,
        },
    ),
    Family(
        id="layer_norm",
        work_name="RowNorm",
        points={"forward": 1, "contract": 0.5, "gradient": 3, "second order": 0.5},
        choices={
            "centred": (True, False),
            "gain": ("weight", "1 + weight"),
            "eps": ("under the root", "beside the root"),
            "order": tuple(", ".join(names) for names in permutations(("x", "weight", "bias"))),
            "factor": (1, 2, -1),
        },
        make=_norm,
        own={
            "summary": "F.layer_norm over the last axis",
            "small": (
                np.array([[0.0, 3.0, 6.0]]),
                np.array([1.0, 2.0, 3.0]),
                np.array([0.5, 0.0, -1.0]),
                3.0,
            ),
            "lookalikes": wrong_layers.LAYER_NORM,
            "other_forwards": wrong_layers.OTHER_LAYER_NORMS,
            "terms": wrong_layers.TERMS_OF_LAYER_NORM,
        },
    ),
    FunctionExercise(
        id="conv2d",
        summary="F.conv2d",
        points={"forward": 1, "contract": 1, "gradient": 2.5, "second order": 0.5},
        domain=Domain(
            {
                "x": Array("batch in height width"),
                "weight": Array("out in kernel_height kernel_width"),
                "bias": Optional(Array("out")),
                "stride": Integer(1, 3),
                "padding": Integer(0, 2),
            },
            at_least={"height": "kernel_height", "width": "kernel_width"},
            long=("batch", "in", "width", "out"),
        ),
        forward=_conv2d,
        seconds=20.0,  # loops over every entry are right too
        small=(
            np.array([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]]),
            np.array([[[[10.0, 1.0]]]]),
            np.array([0.5]),
            1,
            0,
        ),
        lookalikes=[
            Lookalike(
                "conv-not-transposed",
                gradient_of(partial(_conv2d_reversed, axes=axes)),
            )
            for axes in ((2, 3), (2,), (3,))
        ],
    ),
    Family(
        id="attention",
        work_name="ScaledAttention",
        points={"forward": 0.5, "contract": 0.5, "gradient": 2, "memory": 0.5, "second order": 0.5},
        choices={
            "scale": ("1/√d", "1/d", "√d", "1"),
            "factor": (1, 2, -1),
            "order": tuple(", ".join(names) for names in permutations("qkv")),
        },
        make=_attention,
        own={
            "summary": "softmax(qkᵀ/√d) v",
            "small": (np.log([[3.0]]), np.array([[1.0], [0.0]]), np.array([[1.0, 2.0], [5.0, 6.0]])),
            "lookalikes": wrong_attention.LOOKALIKES,
            "other_forwards": wrong_attention.OTHERS,
            "terms": wrong_attention.TERMS,
        },
    ),
)
