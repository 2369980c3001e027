"""A wrong formula gets the name of its mistake, and one that fits no name gets none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.autograd import Function
from verdicts import verdict_on

from autograder.exercise import FunctionExercise
from autograder.exercises import find
from vjpcheck.result import Result


def judged(exercise_id: str, formula: Callable[..., Any], seed: int = 0) -> Result:
    """Judge a right forward whose backward is a formula of the cotangent, the arguments and the output."""
    exercise = find(exercise_id)
    assert isinstance(exercise, FunctionExercise)

    class Work(Function):
        @staticmethod
        def forward(ctx, *arguments):
            output = exercise.forward(*arguments)
            tensors = [a for a in arguments if isinstance(a, torch.Tensor)]
            ctx.save_for_backward(*tensors, output)
            ctx.others = [a for a in arguments if not isinstance(a, torch.Tensor)]
            return output

        @staticmethod
        def backward(ctx, g):
            found = formula(g, *ctx.saved_tensors[:-1], *ctx.others, ctx.saved_tensors[-1])
            return found if isinstance(found, tuple) else (found, *[None] * len(ctx.others))

    Work.__name__ = exercise.object_name
    return verdict_on(exercise, Work, seed)


NAMED = [
    ("exp_saving_output", lambda g, x, y: g * x, "input-for-output"),
    ("exp_saving_output", lambda g, x, y: g * y.exp(), "output-for-input"),
    ("exp_saving_output", lambda g, x, y: g * y * (g > 0), "mask-on-gradient"),
    ("exp_saving_output", lambda g, x, y: (g * y).clamp(-1, 1), "gradient-nonlinear"),
    ("exp_saving_output", lambda g, x, y: y, "missing-grad-output"),
    ("exp_saving_output", lambda g, x, y: g * y * y, "extra-factor"),
    ("exp_saving_output", lambda g, x, y: g, "cotangent-passed-on"),
    ("exp_saving_output", lambda g, x, y: g * y.sin(), "derivative-of-another-function"),
    ("cube", lambda g, x, y: g * 3 * y**2, "output-for-input"),
    ("cube", lambda g, x, y: g * x**2, "wrong-factor"),
    ("cube", lambda g, x, y: g * 3 * x, "missing-factor"),
    ("sinh_with_intermediates", lambda g, x, y: g * (1 + x * x).sqrt(), "input-for-output"),
    ("sinh_with_intermediates", lambda g, x, y: g * x, "value-for-derivative"),
    ("sinh_with_intermediates", lambda g, x, y: g * x.cos(), "derivative-of-another-function"),
    ("sinh_with_intermediates", lambda g, x, y: g * (2 + x.cos()), "derivative-of-another-function"),
    ("reciprocal_norm", lambda g, x, y: (g * y**3)[..., None] * x, "wrong-sign"),
    ("reciprocal_norm", lambda g, x, y: -(g * y**2)[..., None] * x, "missing-factor"),
    ("reciprocal_norm", lambda g, x, y: -(g * y.sin())[..., None] * x, "derivative-of-another-function"),
    ("softmax", lambda g, x, dim, y: g * y, "missing-normaliser-term"),
    ("softmax", lambda g, x, dim, y: g * (y - y * y), "diagonal-only"),
    ("softmax", lambda g, x, dim, y: g * y - y, "term-without-cotangent"),
    ("softmax", lambda g, x, dim, y: g * y * y, None),
    ("numpy_sort", lambda g, x, y: g.gather(-1, x.argsort(-1)), "inverse-permutation"),
    ("numpy_sort", lambda g, x, y: g.flip(-1), "wrong-order"),
    ("numpy_sort", lambda g, x, y: g, "cotangent-passed-on"),
    ("scale_rows", lambda g, x, w, y: (g * w[:, None], (g * x)[:, -1]), "overwrites-instead-of-accumulates"),
    ("scale_rows", lambda g, x, w, y: (g * w[:, None], (g * x)[:, 0]), "outputs-left-out"),
    ("scale_rows", lambda g, x, w, y: (g * x, (g * x).sum(1)), "value-for-derivative"),
    ("scale_rows", lambda g, x, w, y: (g, (g * x).sum(1)), "cotangent-passed-on"),
    ("scale_rows", lambda g, x, w, y: (g * w[:, None], g.sum(1) * x.sum(1)), "cotangent-summed"),
    ("abs_product", lambda g, u, v, y: (g * v, g * u), "wrong-sign-in-places"),
    (
        "abs_product",
        lambda g, u, v, y: (g * v * (u * v).sign(), g * v * (u * v).sign()),
        "gradient-of-another-input",
    ),
    ("kill_head", lambda g, x, n, y: g * (torch.arange(g.shape[1]) < n), "wrong-mask"),
    ("logsumexp", lambda g, x, dim, y: g.unsqueeze(dim) * x.softmax(dim - 1), "wrong-axis"),
]


@pytest.mark.parametrize(("exercise_id", "formula", "mistake"), NAMED)
def test_a_wrong_formula(exercise_id: str, formula: Callable[..., Any], mistake: str | None) -> None:
    for seed in range(2):
        result = judged(exercise_id, formula, seed)
        assert not result.passed
        assert [finding.mistake for finding in result.findings] == [mistake], str(result)


RIGHT = {
    "softmax": lambda g, x, dim, y: y * (g - (g * y).sum(dim, keepdim=True)),
    "cube": lambda g, x, y: 3 * x * x * g,
    "numpy_sort": lambda g, x, y: g.gather(-1, x.argsort(-1).argsort(-1)),
}


@pytest.mark.parametrize("exercise_id", RIGHT)
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6))
def test_a_few_wrong_entries_have_no_name(exercise_id: str, seed: int, count: int) -> None:
    def formula(g: torch.Tensor, *arguments: Any) -> Any:
        gradient = RIGHT[exercise_id](g, *arguments).clone()
        noise = np.random.default_rng(seed)  # the same entries at every call: backward stays linear
        for _ in range(count):
            place, source = noise.integers(gradient.numel()), noise.integers(g.numel())
            gradient.view(-1)[place] += noise.uniform(1, 2) * g.flatten()[source]
        return gradient, *[None] * (len(arguments) - 2)

    result = judged(exercise_id, formula)
    assert not result.passed
    assert result.findings[0].mistake is None, str(result)
