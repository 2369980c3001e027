"""Wrong gradients of attention and the terms of the right ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from autograder.exercises.pullbacks import gradient_of
from vjpcheck.spec import Lookalike, PullbackOf

if TYPE_CHECKING:
    from torch import Tensor


Size = Callable[["Tensor", "Tensor", "Tensor"], int]


def _d(q: Tensor, k: Tensor, v: Tensor) -> int:
    return q.shape[-1]


OTHER_SIZES: dict[str, Size] = {
    "the size of the last axis of v": lambda q, k, v: v.shape[-1],
    "the number of rows of k": lambda q, k, v: k.shape[-2],
    "the number of rows of q": lambda q, k, v: q.shape[-2],
}


OTHERS = {
    "This is the output with a softmax over the queries; it should be over the keys.": (
        lambda q, k, v: (q @ k.mT / q.shape[-1] ** 0.5).softmax(-2) @ v
    ),
    "This is the output without the factor 1/√d.": lambda q, k, v: (q @ k.mT).softmax(-1) @ v,
    "This is the output with the factor 1/d in place of 1/√d.": (
        lambda q, k, v: (q @ k.mT / q.shape[-1]).softmax(-1) @ v
    ),
}


def _through_scores(
    of_softmax: Callable[[Tensor, Tensor], Tensor],
    in_weights: Size = _d,
    in_gradients: Size = _d,
    with_v: bool = False,
    power: float = -0.5,
    factor: float = 1,
    axis: int = -1,
) -> PullbackOf:
    """Return the gradients for q and k, and for v too, from the pullback of the softmax.

    It is given the weights p and their cotangent. The weights and the gradients each have a power of d, and
    attention is a factor times weights and v. The softmax is taken along the axis.
    """

    def pullback(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
        q, k, v = arguments
        p = (q @ k.mT * in_weights(q, k, v) ** power).softmax(axis)
        scores = of_softmax(p, factor * cotangents[0] @ v.mT) * in_gradients(q, k, v) ** power
        return scores @ k, scores.mT @ q, p.mT @ cotangents[0] if with_v else None

    return pullback


def _v_by_scores(scaled: bool) -> PullbackOf:
    """Return the gradient for v with the scores where their softmax belongs."""

    def pullback(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
        q, k, _ = arguments
        scores = q @ k.mT * (q.shape[-1] ** -0.5 if scaled else 1)
        return None, None, scores.mT @ cotangents[0]

    return pullback


def _summed_along(axis: int, p: Tensor, g: Tensor) -> Tensor:
    return p * (g - (p * g).sum(axis, keepdim=True))


def _right(p: Tensor, g: Tensor) -> Tensor:
    return _summed_along(-1, p, g)


def of_any(power: float, factor: float) -> Sequence[Lookalike]:
    """Return wrong gradients of attention with this power of d, times this factor."""

    def fixed_normaliser(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Return attention with the denominator of the softmax taken for a constant."""
        scores = q @ k.mT * q.shape[-1] ** power
        output: Tensor = factor * ((scores - scores.logsumexp(-1, keepdim=True).detach()).exp() @ v)
        return output

    by = partial(_through_scores, power=power, factor=factor)
    return (
        Lookalike("diagonal-only", by(lambda p, g: p * (1 - p) * g)),
        Lookalike("missing-normaliser-term", gradient_of(fixed_normaliser)),
        Lookalike("mean-instead-of-sum", by(lambda p, g: p * (g - (p * g).mean(-1, keepdim=True)))),
        *(
            Lookalike(
                "wrong-axis",
                by(partial(_summed_along, axis)),
                f"The sum in the derivative of the softmax is taken along axis {axis}.",
            )
            for axis in (-2, 1, 0)
        ),
        *(
            Lookalike(
                "wrong-axis",
                by(partial(_summed_along, along), with_v=True, axis=-2),
                "The softmax is taken over the queries, and forward takes it over the keys.",
            )
            for along in (-2, -1)
        ),
        Lookalike(
            "missing-factor",
            by(lambda p, g: p * (g - g.sum(-1, keepdim=True))),
            "The cotangent in the sum is not multiplied by the weights.",
        ),
        Lookalike("missing-factor", by(lambda p, g: g), "The derivative of the softmax is missing."),
    )


LOOKALIKES = (
    Lookalike(
        "wrong-operand",
        _through_scores(_right, in_weights=lambda q, k, v: 1, with_v=True),
        "The softmax is taken of q kᵀ without the factor 1/√d.",
    ),
    *(
        Lookalike(
            "wrong-operand",
            _through_scores(_right, in_weights, in_gradients, with_v=in_weights is not _d),
            f"The factor 1/√d has another d than in forward: {of}.",
        )
        for of, size in OTHER_SIZES.items()
        for in_weights, in_gradients in ((size, size), (size, _d), (_d, size))
    ),
    *(
        Lookalike("wrong-operand", _v_by_scores(scaled), "The scores stand where their softmax belongs.")
        for scaled in (True, False)
    ),
)
TERMS = {
    "the term p·g of the softmax": _through_scores(lambda p, g: p * g),
    "the term −p·Σ p·g of the softmax": _through_scores(lambda p, g: -p * (p * g).sum(-1, keepdim=True)),
}
