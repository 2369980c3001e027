"""Wrong pullbacks that show one certain mistake, and the search for the one that was seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.function.checks.numbers import close
from autograder.function.exercise import PullbackOf

if TYPE_CHECKING:
    from torch import Tensor

    from autograder.function.case import Case


def gradient_of(forward: Callable[..., Tensor | tuple[Tensor, ...]]) -> PullbackOf:
    """Return the pullback of another forward of the same arguments, by native autograd."""

    def pullback(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
        import torch

        outputs = forward(*arguments)
        pairs = zip(outputs if isinstance(outputs, tuple) else (outputs,), cotangents, strict=True)
        used = [(output, given) for output, given in pairs if given is not None and output.requires_grad]
        wanted = [a for a in arguments if isinstance(a, torch.Tensor) and a.requires_grad]
        found = iter(
            torch.autograd.grad(
                [output for output, _ in used],
                wanted,
                [given for _, given in used],
                materialize_grads=True,
            )
        )
        return [next(found) if any(a is leaf for leaf in wanted) else None for a in arguments]

    return pullback


def lookalike(case: Case, position: int) -> str | None:
    """Return the mistake whose gradients are those that the student's backward gave, in every sample."""
    for mistake, pullbacks in case.exercise.lookalikes.items():
        if any(_agrees(case, pullback, position) for pullback in pullbacks):
            return mistake
    return None


def _agrees(case: Case, pullback: PullbackOf, position: int) -> bool:
    from autograder.function.tensors import as_cotangents, as_tensors

    differs = False  # a lookalike that is right in all samples would explain nothing
    for trial in case.trials:
        if not trial.complete or position not in trial.sample.tensor_positions:
            continue
        arguments = as_tensors(trial.sample.arguments, trial.requires)
        wrong = pullback(arguments, as_cotangents(trial.cotangents))[position]
        if wrong is None:
            return False
        expected = wrong.numpy(force=True)
        gradient, truth = trial.answer["gradients"][position], trial.truths[position]
        found = np.zeros_like(expected) if gradient is None else gradient
        if found.shape != expected.shape or not close(found, expected):
            return False
        differs = differs or truth is None or not close(expected, truth)
    return differs
