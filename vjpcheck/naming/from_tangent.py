"""Names a mistake in jvp from its Jacobian, in the same way as one in backward."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from vjpcheck.ask.protocol import Request, request
from vjpcheck.case import Case, Sample, Trial
from vjpcheck.naming.from_hypothesis import hypothesis, lookalike
from vjpcheck.naming.from_jacobian import TangentJacobian, first_candidate, of_one_jacobian, transposed
from vjpcheck.numbers import basis, close
from vjpcheck.probe.function_probe import Probe

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Pullback, Transformed

NAME = "torch.func.jvp"


def explain(case: Case, points: Sequence[Sequence[np.ndarray]]) -> tuple[str, str] | None:
    """Return the mistake in jvp and a sentence; None if no known mistake gives these tangents.

    The points are those of `transforms`, one per sample: the input, a tangent, and batches of both.
    """
    tangents = [[*basis(point[0].shape), np.zeros_like(point[0]), point[1]] for point in points]
    questions: list[Request[Any]] = [
        request(Probe.transform, NAME, [point[0], along, *point[2:]])
        for point, every in zip(points, tangents, strict=True)
        for along in every
    ]
    answers = iter(case.ask(questions))
    jacobians = []
    for every in tangents:
        *columns, of_zero, of_random = [_tangent(next(answers)) for _ in every]
        if of_zero is None or of_random is None or any(column is None for column in columns):
            return None
        if all(close(cast(np.ndarray, column), of_zero) for column in columns) and of_zero.any():
            return "missing-tangent", "The result of jvp does not depend on the tangent."
        jacobian = np.stack([np.ravel(cast(np.ndarray, column)) for column in columns], axis=1)
        if not close(np.ravel(of_random), jacobian @ every[-1].ravel()):
            return "gradient-nonlinear", "The result of jvp is not linear in the tangent."
        jacobians.append(jacobian)
    turned = copy(case)
    turned.trials = [_trial(case, *pair) for pair in zip(case.samples, jacobians, strict=True)]
    wrong = next((t for t in turned.trials if not close(t.gradient(0), t.truth(0))), None)
    longest = _longest(case, jacobians)
    candidates = chain(of_one_jacobian(longest), [transposed(longest)])
    cause = lookalike(turned, 0) if wrong is not None else None
    cause = cause or first_candidate(longest.observed, longest.true, candidates)
    if cause is None and wrong is not None:
        cause = hypothesis(turned, wrong, 0)
    return None if cause is None else (cause[0], _of_tangents(cause[1], case.name(0)))


def _longest(case: Case, jacobians: Sequence[np.ndarray]) -> TangentJacobian:
    """Return the Jacobian at the largest sample: in a few entries two formulas may agree."""
    pairs = zip(case.samples, jacobians, strict=True)
    sample, jacobian = max(pairs, key=lambda pair: pair[0].entries)
    shapes = sample.truth.outputs[0].shape, np.shape(np.asarray(sample.arguments[0]))
    return TangentJacobian(case.name(0), sample, jacobian, sample.truth.jacobian(0), shapes)


def _tangent(answer: Transformed) -> np.ndarray | None:
    return None if "error" in answer else answer["output"]


def _trial(case: Case, sample: Sample, jacobian: np.ndarray) -> Trial:
    """Return a backward pass with the Jacobian of jvp."""
    cotangents = case.random_cotangents(sample)
    first = next(cotangent for cotangent in cotangents if cotangent is not None)
    gradient = (jacobian.T @ first.ravel()).reshape(np.asarray(sample.arguments[0]).shape)
    answer: Mapping[str, Any] = {"gradients": [gradient], "returned": None, "saves": 0}
    return Trial(sample, sample.all_required, cotangents, cast("Pullback", answer))


def _of_tangents(sentence: str, name: str) -> str:
    """Return a sentence about the gradient, reworded for the tangent of the output."""
    here = sentence.replace(f"The gradient for {name}", "The result of jvp")
    here = here.replace(f"the gradient for {name}", "the result of jvp").replace("cotangent", "tangent")
    return re.sub(r"\bg\b", "t", here)
