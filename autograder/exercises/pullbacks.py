"""Pullbacks that an exercise names as truths or as mistakes: of functions other than its forward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from vjpcheck.spec import PullbackOf

if TYPE_CHECKING:
    from torch import Tensor


def gradient_of(forward: Callable[..., Tensor | tuple[Tensor, ...]]) -> PullbackOf:
    """Return the pullback of another forward of the same arguments, by native autograd."""

    def pullback(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
        import torch

        outputs = forward(*arguments)
        pairs = zip(outputs if isinstance(outputs, tuple) else (outputs,), cotangents, strict=True)
        used = [
            (output, cotangent)
            for output, cotangent in pairs
            if cotangent is not None and output.requires_grad
        ]
        wanted = [a for a in arguments if isinstance(a, torch.Tensor) and a.requires_grad]
        gradients = iter(
            torch.autograd.grad(
                [output for output, _ in used],
                wanted,
                [cotangent for _, cotangent in used],
                materialize_grads=True,
            )
        )
        return [next(gradients) if any(a is leaf for leaf in wanted) else None for a in arguments]

    return pullback


def sorted_by_all_rows(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    """Return the gradient of a sort along the last axis that writes every row's order into every row."""
    import torch

    gradient = torch.zeros_like(cotangents[0])
    gradient[..., arguments[0].argsort(-1)] = cotangents[0]
    return [gradient]


def of_first(gradient: Callable[..., Tensor]) -> PullbackOf:
    """Return the pullback for the first argument alone, from the only cotangent and all arguments."""

    def pullback(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
        return [gradient(cotangents[0], *arguments), *(None for _ in arguments[1:])]

    return pullback
