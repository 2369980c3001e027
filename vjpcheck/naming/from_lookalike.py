"""Names a mistake whose wrong pullback, from the specification, equals the student's backward."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vjpcheck.numbers import RELATIVE, close
from vjpcheck.spec import Lookalike, PullbackOf

if TYPE_CHECKING:
    from vjpcheck.case import Case, Trial


NEARLY = 1e-4  # the same mistake with a small constant added, such as an eps in a quotient


def lookalike(case: Case, position: int) -> Lookalike | None:
    """Return the lookalike whose gradients equal the student's in every sample."""
    for relative in (RELATIVE, NEARLY):
        for known in case.spec.lookalikes:
            if _agrees(case, known.pullback, position, relative):
                return known
    return None


def _agrees(case: Case, pullback: PullbackOf, position: int, relative: float) -> bool:
    differs = False  # a lookalike that is right in all samples explains nothing
    for trial in case.trials:
        truth = trial.truths[position] if position < len(trial.requires) else None
        if not trial.complete or truth is None:
            continue
        gradient = trial.answer["gradients"][position]
        observed = np.zeros_like(truth) if gradient is None else gradient
        if not shows(trial, pullback, position, observed, relative):
            return False
        differs = differs or not close(observed, truth, relative)
    return differs


def shows(
    trial: Trial, pullback: PullbackOf, position: int, value: np.ndarray, relative: float = RELATIVE
) -> bool:
    """Return whether the pullback gives this value as the gradient for an argument in a trial."""
    from vjpcheck.probe.torch_tensors import as_cotangents, as_tensors

    arguments = as_tensors(trial.sample.truth.arguments, trial.requires)
    wrong = pullback(arguments, as_cotangents(trial.cotangents))[position]
    if wrong is None or wrong.shape != value.shape:
        return False
    return close(value, wrong.numpy(force=True), relative)
