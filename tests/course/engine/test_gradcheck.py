"""The engine's own gradcheck: right is passed, wrong is caught."""

from __future__ import annotations

import numpy as np
import pytest

from course.engine import Function, GradcheckError, Tensor, gradcheck, gradgradcheck, matmul, sin


class WrongSquare(Function):
    """x·x with a derivative that is wrong by a factor, and of second order by another."""

    factor, second = 2.0, 1.0

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        part = x * WrongSquare.second + x.detach() * (1 - WrongSquare.second)
        return g * part * WrongSquare.factor


@pytest.fixture
def x():
    """An array that requires a gradient."""
    return Tensor(np.array([[0.5, -1.0], [2.0, 1.5]]), requires_grad=True)


def test_right_functions_pass(x):
    """Several inputs and outputs, constants among the inputs, scalars."""
    w = Tensor(np.array([1.0, -2.0]), requires_grad=True)
    assert gradcheck(lambda a, b, n: (matmul(a, b) * n, sin(a)), (x, w, 3))
    assert gradgradcheck(lambda a, b, n: (matmul(a, b) * n, sin(a)), (x, w, 3))
    assert gradcheck(sin, Tensor(0.3, requires_grad=True))


def test_a_wrong_gradient_is_caught(x, monkeypatch):
    """With both Jacobians in the message."""
    assert gradcheck(WrongSquare.apply, x)
    monkeypatch.setattr(WrongSquare, "factor", 2.02)
    with pytest.raises(GradcheckError, match=r"(?s)finite differences.*backward"):
        gradcheck(WrongSquare.apply, x)


def test_a_wrong_second_derivative_is_caught(x, monkeypatch):
    """gradcheck passes it and gradgradcheck does not."""
    assert gradgradcheck(WrongSquare.apply, x)
    monkeypatch.setattr(WrongSquare, "second", 0.9)
    assert gradcheck(WrongSquare.apply, x)
    with pytest.raises(GradcheckError):
        gradgradcheck(WrongSquare.apply, x)


class NumpyBackward(Function):
    """x to 2·x, whose backward leaves Tensors."""

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad_output):
        return Tensor(2 * grad_output.data)


def test_a_lost_graph_is_caught(x):
    """Where the first derivative has no graph it must depend on nothing."""
    assert gradcheck(NumpyBackward.apply, x)
    with pytest.raises(GradcheckError, match="input 1"):
        gradgradcheck(NumpyBackward.apply, x)
    assert gradcheck(lambda x: x.detach() > 0, x)


def test_inputs_are_left_as_they_were(x):
    """Neither the data nor the .grad changes."""
    before = x.data.copy()
    gradcheck(sin, x)
    np.testing.assert_array_equal(x.data, before)
    assert x.grad is None


def test_what_cannot_be_checked_is_refused():
    """No input that requires a gradient, or one too coarse."""
    with pytest.raises(ValueError, match="require a gradient"):
        gradcheck(sin, Tensor(1.0))
    with pytest.raises(ValueError, match="float64"):
        gradcheck(sin, Tensor(np.ones(2, np.float32), requires_grad=True))
