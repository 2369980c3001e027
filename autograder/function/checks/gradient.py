"""Is the gradient right, for every subset of inputs that require grad?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch.autograd.gradcheck import GradcheckError

from autograder.errors import tell
from autograder.function.case import Case, Sample, Trial
from autograder.function.checks.numbers import close
from autograder.function.explain import explain
from autograder.function.probed import probed
from autograder.mistakes import named
from autograder.result import Finding

CHECK = "gradient"


def findings(case: Case) -> Iterator[Finding]:
    """Compare vector-Jacobian products for random cotangents with the truth, then ask gradcheck."""
    found = False
    for trial in case.trials:
        for finding in _against_truth(case, trial):
            found = True
            yield finding
    if found:
        return
    for sample in case.samples:
        for requires in sample.subsets():
            yield from _by_gradcheck(case, sample, requires)


def _against_truth(case: Case, trial: Trial) -> Iterator[Finding]:
    if "error" in trial.answer:
        yield Finding(CHECK, tell(trial.answer["error"]))
        return
    truths = trial.sample.truth.vjp(trial.requires, trial.cotangents)
    for position, truth in enumerate(truths):
        if truth is None:
            continue
        gradient = trial.answer["gradients"][position]
        if not close(np.zeros_like(truth) if gradient is None else gradient, truth):
            yield explain(case, trial, position, truth)


def _by_gradcheck(case: Case, sample: Sample, requires: tuple[bool, ...]) -> Iterator[Finding]:
    positions = [p for p, flag in enumerate(requires) if flag]
    function = probed(case.probe, sample.arguments, positions, len(sample.truth.outputs))
    tensors = tuple(torch.tensor(sample.arguments[p], requires_grad=True) for p in positions)
    try:
        torch.autograd.gradcheck(function, tensors)
    except (GradcheckError, RuntimeError) as error:
        message = " ".join(str(error).split())
        mistake = "not-reproducible" if "not reentrant" in message else None
        yield named(mistake, CHECK, None, f"torch.autograd.gradcheck says: {message[:300]}")
