"""The custom ops that exercises ask for, as data: what they compute, and wrong gradients that have a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from vjpcheck.domain import Shape

Rest = tuple[Any, ...]  # the arguments after the tensor
Cotangents = Sequence[np.ndarray | None]  # None for an output that is not used


class Case(NamedTuple):
    """A backward pass: the tensor, the other arguments, and a cotangent for each output."""

    x: np.ndarray
    rest: Rest
    cotangents: Cotangents


class Guess(NamedTuple):
    """A wrong gradient: its mistake, what is said of it, and its values for a case and an observed one."""

    mistake: str
    sentence: str
    gradient: Callable[[Case, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Op:
    """A custom op with one tensor.

    `forward` is the op in native PyTorch. It is tried on each of `shapes` with each of `rests`; `words` say
    such a call. In turn the outputs of `used` have a cotangent. The other texts are hints.
    """

    argument: str
    outputs: tuple[str, ...]
    forward: Callable[..., tuple[Tensor, ...]]
    shapes: tuple[Shape, ...]
    rests: tuple[Rest, ...]
    used: tuple[tuple[int, ...], ...]
    words: str
    guesses: tuple[Guess, ...]
    value: str
    setup: str
    kept: str

    def said(self, x: np.ndarray, rest: Rest) -> str:
        """Return the words for a call."""
        return self.words.format(*rest, shape=x.shape)

    def values(self, x: np.ndarray, rest: Rest) -> list[np.ndarray]:
        """Return the true outputs."""
        return [output.numpy() for output in self.forward(torch.tensor(x).double(), *rest)]

    def gradient(self, case: Case, factor: float = 1.0, along: np.ndarray | None = None) -> np.ndarray:
        """Return the true gradient for x of the op at x times `factor`.

        With `along`, return the gradient of the product of that gradient and `along`.
        """
        x = torch.tensor(case.x, requires_grad=True)
        outputs = self.forward(x * factor, *case.rest)
        pairs = zip(outputs, case.cotangents, strict=True)
        shares = [(out * torch.tensor(seed)).sum() for out, seed in pairs if seed is not None]
        total = torch.stack(shares).sum()
        (gradient,) = torch.autograd.grad(total, x, create_graph=along is not None)
        if along is not None:
            (gradient,) = torch.autograd.grad((gradient * torch.tensor(along)).sum(), x)
        return gradient.numpy()


def _crop(image: Tensor, box: Sequence[int]) -> tuple[Tensor, ...]:
    top, left, height, width = box
    return (image[..., top : top + height, left : left + width],)


def _in_box(case: Case, inside: np.ndarray | float, outside: np.ndarray) -> np.ndarray:
    ones = [np.ones_like(seed) for seed in case.cotangents if seed is not None]
    return np.where(CROP.gradient(case._replace(cotangents=ones)) > 0, inside, outside)


CROP: Op = Op(
    argument="image",
    outputs=("the output",),
    forward=_crop,
    shapes=((2, 5, 7), (5, 7), (2, 3, 5, 7)),
    rests=(((1, 2, 3, 4),), ((0, 0, 2, 5),), ((2, 1, 3, 2),), ((0, 0, 5, 7),), ((4, 6, 1, 1),)),
    used=((0,),),
    words="an image of shape {shape} and box = {0}",
    guesses=(
        Guess(
            "missing-mask",
            "is not zero outside the box",
            lambda case, seen: _in_box(case, CROP.gradient(case), seen),
        ),
        Guess(
            "missing-grad-output",
            "is 1 in the box for every cotangent",
            lambda case, seen: _in_box(case, 1.0, seen),
        ),
    ),
    value="a box is (top, left, height, width).",
    setup="setup_context keeps on ctx what backward needs; backward returns a gradient, and None for box.",
    kept="Does backward need the values of the image? A shape is no tensor and may be an attribute of ctx.",
)


def _variance(x: np.ndarray) -> np.ndarray:
    return np.asarray(np.var(x, -1, keepdims=True))


Part = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]


def _of_moments(part: Part) -> Callable[[Case, np.ndarray], np.ndarray]:
    """Return the gradient for which `part(m, v, x, d, n)` is n times as large.

    `m` and `v` are the cotangents of mean and variance, `d` is the deviation of x from the mean.
    """

    def gradient(case: Case, _: np.ndarray) -> np.ndarray:
        x, n = case.x, case.x.shape[-1]
        m, v = (np.zeros((*x.shape[:-1], 1)) if c is None else c[..., None] for c in case.cotangents)
        return np.broadcast_to(np.asarray(part(m, v, x, x - x.mean(-1, keepdims=True), n)) / n, x.shape)

    return gradient


# mistake, what is said of the gradient, and n times the gradient
_WRONG_MOMENTS: tuple[tuple[str, str, Part], ...] = (
    ("outputs-left-out", "has no share from the variance", lambda m, v, x, d, n: m),
    ("outputs-left-out", "has no share from the mean", lambda m, v, x, d, n: 2 * v * d),
    ("cotangents-exchanged", "has the two cotangents exchanged", lambda m, v, x, d, n: v + 2 * m * d),
    ("missing-factor", "has the mean's share without 1/n", lambda m, v, x, d, n: n * m + 2 * v * d),
    ("missing-factor", "has the variance's share without 1/n", lambda m, v, x, d, n: m + 2 * v * d * n),
    ("missing-factor", "has the variance's share without the 2", lambda m, v, x, d, n: m + v * d),
    ("wrong-operand", "has x for its deviation from the mean", lambda m, v, x, d, n: m + 2 * v * x),
    ("wrong-operand", "has x minus the variance", lambda m, v, x, d, n: m + 2 * v * (x - _variance(x))),
    (
        "wrong-sign-of-a-term",
        "has the sign of the variance's share reversed",
        lambda m, v, x, d, n: m - 2 * v * d,
    ),
    ("cotangent-summed", "sums over the rows", lambda m, v, x, d, n: m.sum() + 2 * v.sum() * d),
    ("missing-grad-output", "is the same for every cotangent", lambda m, v, x, d, n: 1 + 2 * d),
    (
        "derivative-of-another-function",
        "is that of a variance divided by n - 1",
        lambda m, v, x, d, n: m + 2 * v * d * n / (n - 1),
    ),
)

MOMENTS = Op(
    argument="x",
    outputs=("mean", "variance"),
    forward=lambda x: (x.mean(-1), x.var(-1, correction=0)),
    shapes=((3, 4), (5,), (2, 3, 4), (4, 1)),
    rests=((),) * 5,
    used=((0, 1), (0, 1), (0,), (1,)),
    words="x of shape {shape}",
    guesses=tuple(Guess(mistake, text, _of_moments(part)) for mistake, text, part in _WRONG_MOMENTS),
    value="the mean and the variance of the last axis, which is divided by n.",
    setup="setup_context saves for backward what it needs; backward gets a cotangent for each output.",
    kept="Which method of ctx stores a tensor, so that PyTorch knows about it?",
)

OPS = {"crop_op": CROP, "moments_op": MOMENTS}
