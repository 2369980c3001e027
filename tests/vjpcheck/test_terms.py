"""The wrong gradients that exercises know: lookalikes are wrong, terms add up, changed terms are told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from verdicts import verdict_on

from autograder.exercise import FunctionExercise
from autograder.exercises import EXERCISES, find
from vjpcheck.case import Case, Sample
from vjpcheck.numbers import close
from vjpcheck.probe.torch_tensors import as_cotangents, as_tensors
from vjpcheck.spec import PullbackOf

FUNCTIONS = [exercise for exercise in EXERCISES.values() if isinstance(exercise, FunctionExercise)]
WITH_TERMS = [exercise for exercise in FUNCTIONS if exercise.terms]
WITH_LOOKALIKES = [exercise for exercise in FUNCTIONS if exercise.lookalikes]
Arrays = list[np.ndarray | None]


def drawn(exercise: FunctionExercise) -> list[tuple[Sample, Arrays]]:
    """Return the samples, which need no student's work, each with cotangents."""
    case = Case(exercise, exercise.object_name, Any, 0)
    return [(sample, case.random_cotangents(sample)) for sample in case.samples]


def pulled(pullback: PullbackOf, sample: Sample, cotangents: Arrays) -> Arrays:
    arguments = as_tensors(sample.truth.arguments, sample.all_required)
    found = pullback(arguments, as_cotangents(cotangents))
    return [None if gradient is None else gradient.numpy(force=True) for gradient in found]


@pytest.mark.parametrize("exercise", WITH_TERMS, ids=lambda exercise: exercise.id)
def test_the_terms_add_up_to_the_gradient(exercise: FunctionExercise) -> None:
    for sample, cotangents in drawn(exercise):
        truths = sample.truth.vjp(sample.all_required, cotangents)
        terms = [pulled(pullback, sample, cotangents) for pullback in exercise.terms.values()]
        of_arguments = [[t for t in term if t is not None] for term in zip(*terms, strict=True)]
        assert any(of_arguments)
        for truth, parts in zip(truths, of_arguments, strict=True):
            assert truth is None or not parts or close(np.sum(parts, axis=0), truth)


@pytest.mark.parametrize("exercise", WITH_LOOKALIKES, ids=lambda exercise: exercise.id)
def test_no_lookalike_is_right(exercise: FunctionExercise) -> None:
    for known in exercise.lookalikes:
        differs = False
        for sample, cotangents in drawn(exercise):
            truths = sample.truth.vjp(sample.all_required, cotangents)
            found = pulled(known.pullback, sample, cotangents)
            for truth, wrong in zip(truths, found, strict=False):
                differs |= truth is not None and wrong is not None and not close(wrong, truth)
        assert differs, known


class Softmax(torch.autograd.Function):
    """Right but for the coefficients of its two terms."""

    coefficients = 1.0, 1.0

    @classmethod
    def forward(cls, ctx: Any, x: torch.Tensor, dim: int) -> torch.Tensor:
        y = x.softmax(dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @classmethod
    def backward(cls, ctx: Any, g: torch.Tensor) -> tuple[torch.Tensor, None]:
        (y,) = ctx.saved_tensors
        one, two = cls.coefficients
        return one * y * g - two * y * (y * g).sum(ctx.dim, keepdim=True), None


@settings(max_examples=10, deadline=None)
@given(st.floats(-4, 4), st.sampled_from([0, 1]))
def test_a_factor_of_one_term_is_told(factor: float, place: int) -> None:
    assume(abs(factor) > 0.01 and min(abs(factor - 1), abs(factor + 1)) > 0.01)
    coefficients = (factor, 1.0) if place == 0 else (1.0, factor)
    work = type(Softmax)("Softmax", (Softmax,), {"coefficients": coefficients})
    first = verdict_on(find("softmax"), work, 0).findings[0]
    assert first.mistake == "wrong-factor-of-a-term"
    assert f"is multiplied by {factor:.4g}" in first.message


@pytest.mark.parametrize(
    ("coefficients", "mistake"),
    [
        ((0.0, 1.0), "missing-term"),
        ((1.0, 0.0), "missing-normaliser-term"),
        ((1.0, -1.0), "wrong-sign-of-a-term"),
        ((-1.0, -1.0), "wrong-sign"),
        ((2.0, 2.0), "wrong-factor"),
        ((3.0, -1.0), "wrong-sign-of-a-term"),
    ],
)
def test_what_is_done_to_terms_is_named(coefficients: tuple[float, float], mistake: str) -> None:
    work = type(Softmax)("Softmax", (Softmax,), {"coefficients": coefficients})
    assert verdict_on(find("softmax"), work, 1).findings[0].mistake == mistake
