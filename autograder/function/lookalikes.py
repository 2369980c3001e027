"""Wrong pullbacks that show one certain mistake, and the search for the one that was seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.function.exercise import PullbackOf
from autograder.function.numbers import close

if TYPE_CHECKING:
    from torch import Tensor

    from autograder.function.case import Case, Trial


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
    differs = False  # a lookalike that is right in all samples would explain nothing
    for trial in case.trials:
        truth = trial.truths[position] if position < len(trial.requires) else None
        if not trial.complete or truth is None:
            continue
        gradient = trial.answer["gradients"][position]
        found = np.zeros_like(truth) if gradient is None else gradient
        if not shows(trial, pullback, position, found):
            return False
        differs = differs or not close(found, truth)
    return differs


def shows(trial: Trial, pullback: PullbackOf, position: int, value: np.ndarray) -> bool:
    """Return whether this is the gradient for one argument that the pullback gives in this trial."""
    from autograder.function.tensors import as_cotangents, as_tensors

    arguments = as_tensors(trial.sample.truth.arguments, trial.requires)
    wrong = pullback(arguments, as_cotangents(trial.cotangents))[position]
    return wrong is not None and wrong.shape == value.shape and close(value, wrong.numpy(force=True))
