"""Is the second derivative right, or backward declared once differentiable?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch.autograd.gradcheck import GradcheckError

from autograder.errors import tell
from autograder.function.case import Case, Sample
from autograder.function.checks.numbers import arrived
from autograder.function.probed import probed
from autograder.mistakes import named
from autograder.result import Finding

CHECK = "second order"
MISTAKE = "needs-once-differentiable"


def findings(case: Case) -> Iterator[Finding]:
    """Compare the derivative of the pullback with the truth, then ask gradgradcheck."""
    for sample in case.samples:
        for requires in sample.subsets():
            cotangents = case.random_cotangents(sample)
            seconds = [
                case.generator.standard_normal(a.shape) if flag and isinstance(a, np.ndarray) else None
                for a, flag in zip(sample.arguments, requires, strict=True)
            ]
            answer = case.probe.second_vjp(sample.arguments, requires, cotangents, seconds)
            if answer["declared_once"]:
                return
            if "error" in answer:
                yield named(MISTAKE, CHECK, None, tell(answer["error"]))
                return
            for_arguments, for_cotangents = sample.truth.second_vjp(requires, cotangents, seconds)
            pairs = [*zip(answer["for_arguments"], for_arguments, strict=True)]
            pairs += [*zip(answer["for_cotangents"], for_cotangents, strict=True)]
            for found, truth in pairs:
                if truth is not None and not arrived(found, truth):
                    zero = "zero" if found is None or not found.any() else "wrong"
                    yield named(
                        MISTAKE,
                        CHECK,
                        None,
                        f"The derivative of the gradient is {zero}, and nothing warns of it.",
                    )
                    return
    yield from _by_gradgradcheck(case, case.samples[0])


def _by_gradgradcheck(case: Case, sample: Sample) -> Iterator[Finding]:
    positions = sample.tensor_positions
    function = probed(case.probe, sample.arguments, positions, sample.truth.flows)
    tensors = tuple(torch.tensor(sample.arguments[p], requires_grad=True) for p in positions)
    given = case.random_cotangents(sample)
    cotangents = [torch.tensor(c, requires_grad=True) for c in given if c is not None]
    try:
        torch.autograd.gradgradcheck(function, tensors, cotangents, fast_mode=True)
    except (GradcheckError, RuntimeError) as error:
        message = " ".join(str(error).split())
        yield named(MISTAKE, CHECK, None, f"torch.autograd.gradgradcheck says: {message[:300]}")
