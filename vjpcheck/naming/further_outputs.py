"""Checks the gradients of extra outputs, such as intermediates returned for backward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from vjpcheck.ask import requests
from vjpcheck.ask.protocol import Request
from vjpcheck.case import Case, Sample
from vjpcheck.mistakes import named
from vjpcheck.numbers import is_not, ratio
from vjpcheck.result import Finding

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Forward, Pullback

STEP, TOLERANCE = 1e-5, 1e-5  # a central difference with this step is right to about nine digits


class FurtherOutputs:
    """Compares the central differences of the student's further outputs with the gradients of backward.

    The only truth about these outputs is the student's own forward, and `first_look` must have run without an
    error. With `marked_is_right`, an output that is marked as non-differentiable counts as right.
    """

    def __init__(self, case: Case, sample: Sample, marked_is_right: bool = False) -> None:
        self._marked_is_right = marked_is_right
        forward = case.first_look.forwards[case.samples.index(sample)]
        count = len(sample.truth.outputs)
        outputs = forward["outputs"] if "error" not in forward else []
        self._indices = [i for i in range(count, len(outputs)) if outputs[i].dtype == np.float64]
        self._requires_grad = case.inspections[0]["requires_grad"]
        steps = np.random.default_rng(0)
        flags = sample.all_required
        self._directions = [
            steps.standard_normal(np.shape(argument)) if flag and isinstance(argument, np.ndarray) else None
            for argument, flag in zip(sample.arguments, flags, strict=True)
        ]
        self._cotangents = {i: steps.standard_normal(outputs[i].shape) for i in self._indices}
        moved = [
            [
                a if d is None or not isinstance(a, np.ndarray) else a + sign * STEP * d
                for a, d in zip(sample.arguments, self._directions, strict=True)
            ]
            for sign in (1, -1)
        ]
        self.questions: list[Request[Any]] = []
        if self._indices:
            rows = [
                [self._cotangents[i] if place == i else None for place in range(len(outputs))]
                for i in self._indices
            ]
            self.questions = [
                *(requests.forward(arguments) for arguments in moved),
                *(requests.vjp(sample.arguments, flags, cotangents) for cotangents in rows),
            ]

    def finding(self, check: str, answers: Sequence[Any]) -> Finding | None:
        """Return the finding for the first further output whose gradient is wrong."""
        if not self._indices or any("error" in answer for answer in answers[:2]):
            return None
        up, down, *pulled = answers
        for index, answer in zip(self._indices, pulled, strict=True):
            fault = self._look(check, index, up, down, answer)
            if fault is not None:
                return fault
        return None

    def _look(self, check: str, index: int, up: Forward, down: Forward, answer: Pullback) -> Finding | None:
        cotangent = self._cotangents[index]
        difference = (up["outputs"][index] - down["outputs"][index]) / (2 * STEP)
        truth = float((cotangent * difference).sum())
        marked = index < len(self._requires_grad) and not self._requires_grad[index]
        if marked and self._marked_is_right:
            return None
        if marked and abs(truth) > TOLERANCE:
            message = f"Output {index} is marked as non-differentiable, but it depends on the inputs."
            return named("further-output-marked", check, None, message)
        if "error" in answer:
            return None
        pairs = zip(answer["gradients"], self._directions, strict=True)
        observed = float(sum((g * d).sum() for g, d in pairs if g is not None and d is not None))
        if abs(observed - truth) <= TOLERANCE * max(1.0, abs(truth)):
            return None
        numbers = f"along a random direction its contribution {is_not(observed, truth)}"
        if not any(g is not None and g.any() for g in answer["gradients"]):
            message = f"The cotangent of output {index} is unused: {numbers}."
            return named("further-cotangent-unused", check, None, message)
        opposite = ratio(np.array([observed]), np.array([truth]))
        if opposite is not None and abs(opposite + 1) < 1e-4:
            message = f"The term for the cotangent of output {index} has the opposite sign: {numbers}."
        else:
            message = f"The term for the cotangent of output {index} is wrong: {numbers}."
        return named("further-cotangent-wrong", check, None, message)
