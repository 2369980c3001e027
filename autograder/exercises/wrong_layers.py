"""Wrong gradients of the course's softmax, cross_entropy and layer_norm, and the terms of the right ones.

The wrong gradients that members of their families have too stand beside the truth of the family.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from autograder.exercises.pullbacks import gradient_of, of_first
from vjpcheck.spec import Lookalike, PullbackOf

if TYPE_CHECKING:
    from torch import Tensor


def _of_output(formula: Callable[..., Tensor]) -> PullbackOf:
    """Return the pullback of softmax with a formula of the cotangent, the output and the sum along dim."""

    def gradient(g: Tensor, x: Tensor, dim: int) -> Tensor:
        return formula(g, x.softmax(dim), lambda terms: terms.sum(dim, True))

    return of_first(gradient)


WITHOUT_A_FACTOR: dict[str, Callable[..., Tensor]] = {
    "The cotangent in the sum is not multiplied by the output.": lambda g, y, total: y * (g - total(g)),
    "The sum is not multiplied by the output.": lambda g, y, total: y * g - total(y * g),
    "The first term is not multiplied by the output.": lambda g, y, total: g - y * total(y * g),
    "The difference is not multiplied by the output.": lambda g, y, total: g - total(y * g),
}
SOFTMAX = (
    *(
        Lookalike("missing-factor", _of_output(formula), sentence)
        for sentence, formula in WITHOUT_A_FACTOR.items()
    ),
    Lookalike(
        "derivative-of-another-function",
        _of_output(lambda g, y, total: g - y * total(g)),
        "This is the gradient of the logarithm of softmax.",
    ),
)
TERMS_OF_SOFTMAX = {
    "the term y·g": _of_output(lambda g, y, total: y * g),
    "the term −y·Σ y·g": _of_output(lambda g, y, total: -y * total(y * g)),
}


def _one_hot(logits: Tensor, target: Tensor) -> Tensor:
    import torch

    return torch.zeros_like(logits).scatter(1, target[:, None], 1.0)


def _targets_in_all_rows(logits: Tensor, target: Tensor) -> Tensor:
    """Return what `d[:, target] -= 1` takes off: one in each column that any row has as its target."""
    return _one_hot(logits, target).amax(0).expand(logits.shape)


def _difference(
    one: Callable[[Tensor], Tensor], other: Callable[[Tensor, Tensor], Tensor] = _one_hot
) -> PullbackOf:
    """Return the pullback of mean cross entropy with other values for the softmax or for the target."""
    return of_first(lambda g, logits, t: g * (one(logits) - other(logits, t)) / len(t))


def _rows(logits: Tensor) -> Tensor:
    return logits.softmax(1)


CROSS_ENTROPY = (
    Lookalike("wrong-operand", _difference(lambda z: z), "The logits stand where their softmax belongs."),
    Lookalike(
        "wrong-operand",
        _difference(lambda z: z.log_softmax(1)),
        "The logarithm of the softmax stands where the softmax belongs.",
    ),
    Lookalike(
        "wrong-operand",
        _difference(_rows, lambda z, t: _one_hot(z, z.argmax(1))),
        "The class with the largest logit stands where the target belongs.",
    ),
    Lookalike(
        "wrong-axis", _difference(lambda z: z.softmax(0)), "The softmax is taken over the rows, axis 0."
    ),
    Lookalike(
        "wrong-factor",
        of_first(lambda g, logits, t: g * (_rows(logits) - _one_hot(logits, t)) / logits.numel()),
        "The gradient is divided by the number of logits; forward divides by the number of rows.",
    ),
    Lookalike(
        "crossed-indices",
        _difference(_rows, _targets_in_all_rows),
        "The 1 is subtracted in the target columns of all rows, as in d[:, target] -= 1.",
    ),
    Lookalike(
        "crossed-indices",
        _difference(_rows, lambda z, t: _one_hot(z, t).sum(0).expand(z.shape)),
        "The 1 is subtracted for the targets of all rows, in every row.",
    ),
)
TERMS_OF_CROSS_ENTROPY = {
    "the term of the softmax": of_first(lambda g, logits, t: g * _rows(logits) / len(t)),
    "the term −1 of the target classes": of_first(lambda g, logits, t: -g * _one_hot(logits, t) / len(t)),
}


def _normed(x: Tensor, eps: float, correction: int = 0) -> tuple[Tensor, Tensor]:
    """Return the normalised rows and 1/σ."""
    over_sigma = (x.var(-1, correction=correction, keepdim=True) + eps).rsqrt()
    return (x - x.mean(-1, keepdim=True)) * over_sigma, over_sigma


def _layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float, correction: int = 0) -> Tensor:
    return _normed(x, eps, correction)[0] * weight + bias


def _layer_norm_with(
    values: Callable[[Tensor, float], tuple[Tensor, Tensor]],
) -> PullbackOf:
    """Return the pullback of layer_norm for x and the weight, from these values of x̂ and 1/σ."""

    def pullback(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
        x, weight, _, eps = arguments
        g, (normed, over_sigma) = cotangents[0], values(x, eps)
        h = g * weight
        for_x = over_sigma * (h - h.mean(-1, True) - normed * (h * normed).mean(-1, True))
        return for_x, (g * normed).flatten(0, -2).sum(0), None, None

    return pullback


def _weight_times(value: Callable[..., Tensor]) -> PullbackOf:
    """Return the gradient for the weight with this value where the normalised x belongs."""

    def pullback(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
        return None, (cotangents[0] * value(*arguments)).flatten(0, -2).sum(0), None, None

    return pullback


def _layer_norm_term(term: Callable[[Tensor, Tensor, Tensor], Tensor]) -> PullbackOf:
    """Return a term of the gradient for x, from the weighted cotangent h, x̂ and 1/σ."""
    return of_first(lambda g, x, weight, bias, eps: term(g * weight, *_normed(x, eps)))


def _late_weight(means: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """Return the gradient for x whose terms through the mean and the variance are these of g, h and x̂."""

    def gradient(g: Tensor, x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
        normed, over_sigma = _normed(x, eps)
        return over_sigma * (g * weight - means(g, g * weight, normed))

    return gradient


LATE_WEIGHTS = {
    "mean": _late_weight(lambda g, h, n: g.mean(-1, True) + n * (h * n).mean(-1, True)),
    "variance": _late_weight(lambda g, h, n: h.mean(-1, True) + n * (g * n).mean(-1, True)),
    "mean and that through the variance": _late_weight(
        lambda g, h, n: g.mean(-1, True) + n * (g * n).mean(-1, True)
    ),
}


def _weight_last(g: Tensor, x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
    """Return the gradient for x in which the weight multiplies the result, not the cotangent."""
    normed, over_sigma = _normed(x, eps)
    return weight * over_sigma * (g - g.mean(-1, True) - normed * (g * normed).mean(-1, True))


def _eps_outside(x: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """Return the normalised rows and 1/(σ + eps), with eps outside the root."""
    over_sigma = 1 / (x.std(-1, correction=0, keepdim=True) + eps)
    return (x - x.mean(-1, keepdim=True)) * over_sigma, over_sigma


UNBIASED = "The variance is divided by n − 1; forward divides it by n."


def _divided_by(size: Tensor, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return (x - x.mean(-1, keepdim=True)) / size * weight + bias


OTHER_LAYER_NORMS = {
    "This is the output with eps outside of the root.": lambda x, weight, bias, eps: _divided_by(
        x.std(-1, correction=0, keepdim=True) + eps, x, weight, bias
    ),
    "This is the output with a variance that is divided by n − 1.": lambda x, weight, bias, eps: _divided_by(
        (x.var(-1, keepdim=True) + eps).sqrt(), x, weight, bias
    ),
}
LAYER_NORM = (
    Lookalike("wrong-operand", gradient_of(partial(_layer_norm, correction=1)), UNBIASED),
    Lookalike("wrong-operand", _layer_norm_with(lambda x, eps: _normed(x, eps, correction=1)), UNBIASED),
    Lookalike(
        "wrong-operand", _layer_norm_with(_eps_outside), "eps is added to σ, not to σ² under the root."
    ),
    Lookalike(
        "missing-factor",
        _layer_norm_with(lambda x, eps: (_normed(x, eps)[0], _normed(x, eps)[1] ** 0)),
        "The factor 1/σ is missing.",
    ),
    *(
        Lookalike("wrong-operand", of_first(gradient), f"The term through the {what} lacks the weight.")
        for what, gradient in LATE_WEIGHTS.items()
    ),
    Lookalike(
        "wrong-operand",
        of_first(_weight_last),
        "The weight multiplies the result; it belongs to the cotangent before the means are taken.",
    ),
    Lookalike(
        "wrong-operand",
        _weight_times(lambda x, weight, bias, eps: x),
        "x stands where the normalised x belongs.",
    ),
    Lookalike(
        "missing-factor",
        _weight_times(lambda x, weight, bias, eps: x - x.mean(-1, keepdim=True)),
        "x minus its mean is not divided by the standard deviation.",
    ),
    Lookalike(
        "output-for-input",
        _weight_times(_layer_norm),
        "The output stands where the normalised x belongs.",
    ),
)
TERMS_OF_LAYER_NORM = {
    "the term without a mean": _layer_norm_term(lambda h, normed, over_sigma: over_sigma * h),
    "the term through the mean": _layer_norm_term(
        lambda h, normed, over_sigma: -over_sigma * h.mean(-1, True).expand(h.shape)
    ),
    "the term through the variance": _layer_norm_term(
        lambda h, normed, over_sigma: -over_sigma * normed * (h * normed).mean(-1, True)
    ),
}
