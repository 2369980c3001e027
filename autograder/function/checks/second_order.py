"""Is the second derivative right, or backward declared once differentiable?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from autograder.errors import tell
from autograder.function.case import Case
from autograder.function.checks.numbers import arrived
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
    first = case.samples[0]
    message = first.truth.gradgradcheck(case.probe, case.random_cotangents(first))
    if message:
        yield named(MISTAKE, CHECK, None, message)
