"""What is computed once for all submissions: the same values are found again, and no work can change them."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import pytest
import submissions
import torch
from hypothesis import given
from hypothesis import strategies as st
from verdicts import verdict, verdict_on

from autograder.exercises import find
from course import engine
from vjpcheck.capture import captured_output
from vjpcheck.truth.exact_key import ExactKey

NUMBERS = st.floats(allow_nan=True) | st.integers(-2, 2) | st.booleans() | st.none()
VALUES = st.recursive(
    NUMBERS,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=6,
)


def bits(value: Any) -> Any:
    if isinstance(value, float):
        return "float", struct.pack("d", value)
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    return [(k, bits(v)) for k, v in value.items()] if isinstance(value, dict) else (type(value), value)


@given(VALUES, VALUES)
def test_values_are_one_key_where_their_bits_are_the_same(one: Any, other: Any) -> None:
    assert (ExactKey(one) == ExactKey(other)) == (bits(one) == bits(other))


@given(st.lists(st.floats(), min_size=1, max_size=6), st.integers(0, 5))
def test_arrays_are_one_key_where_shape_dtype_and_bits_are_the_same(numbers: list[float], at: int) -> None:
    array = np.array(numbers)
    assert ExactKey(array) == ExactKey(array.copy())
    assert hash(ExactKey(array)) == hash(ExactKey(array.copy()))
    assert ExactKey(array) != ExactKey(array[None])
    assert ExactKey(array) != ExactKey(array.astype(np.complex128))
    other = array.copy()
    other[at % len(other)] = 1.0 if math.isnan(other[at % len(other)]) else np.nan
    assert ExactKey(array) != ExactKey(other)


class WritesIntoAll(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, n: int) -> torch.Tensor:
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        x.data.fill_(7.0)
        x.numpy(force=True)[...] = 7.0
        return y

    @staticmethod
    def backward(ctx: Any, grad_output: torch.Tensor) -> tuple[torch.Tensor, None]:
        grad_output.data.fill_(7.0)
        return grad_output, None


class WritesIntoArrays(engine.Function):
    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        y = a * b
        for each in (a, b):
            if isinstance(each.data, np.ndarray):
                each.data[...] = 7.0
        return y

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        if isinstance(grad_output.data, np.ndarray):
            grad_output.data[...] = 7.0
        return grad_output, grad_output


WRITERS = [("kill_head", WritesIntoAll), ("engine_mul", WritesIntoArrays)]


@pytest.mark.parametrize(("name", "work"), WRITERS)
def test_work_that_writes_into_what_it_is_given_changes_nothing_for_the_next(name: str, work: Any) -> None:
    right, seed = submissions.right(name)[0], 11
    before = [outcome.findings for outcome in verdict(right, seed).outcomes]
    with captured_output():
        assert not verdict_on(find(name), work, seed).passed
    after = verdict(right, seed)
    assert after.passed
    assert [outcome.findings for outcome in after.outcomes] == before
