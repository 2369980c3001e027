"""Changes in place: the version counter, and the errors that it makes possible."""

from __future__ import annotations

import numpy as np
import pytest

from course.engine import Function, Tensor, exp, no_grad


class ReluInPlace(Function):
    """relu, written into its input."""

    @staticmethod
    def forward(ctx, x):
        x.data[x.data < 0] = 0
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y > 0)


def leaf():
    """Return an array that requires a gradient."""
    return Tensor([-1.0, 2.0, 3.0], requires_grad=True)


def test_a_changed_array_that_was_saved_makes_backward_fail():
    """The words are torch's, and say who saved it."""
    y = exp(leaf())
    y.add_(1)
    assert y._version == 1
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation.*ExpBackward.*version 1"):
        y.sum().backward()


def test_a_change_before_saving_is_harmless():
    """Only what happened after counts."""
    x = leaf()
    y = x * 1
    y.mul_(3).add_(1)
    (y * y).sum().backward()
    np.testing.assert_allclose(x.grad.data, 6 * (3 * x.data + 1))


def test_a_change_through_a_view_counts():
    """A reshaped array shares its memory, and so its version."""
    y = leaf() * 2
    z = y.reshape(3, 1)
    w = z * z
    y.add_(1)
    with pytest.raises(RuntimeError, match="inplace"):
        w.sum().backward()


def test_multiplication_in_place_by_a_tensor():
    """Both factors get their gradients: the old value was copied."""
    x, w = leaf(), Tensor(2.0, requires_grad=True)
    y = x * 1
    y.mul_(w)
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.data, [2.0, 2.0, 2.0])
    assert w.grad.item() == 4.0


def test_a_number_takes_on_a_new_value():
    """Floats cannot change, so what saved the old one stays right."""
    x = Tensor(2.0, requires_grad=True)
    y = x * x
    z = y * y
    y.add_(1.0)
    assert y.item() == 5.0
    (z + y).backward()
    assert x.grad.item() == 32.0 + 4.0


def test_leaves_are_refused_while_recording():
    """An optimizer changes its parameters inside no_grad()."""
    x = leaf()
    with pytest.raises(RuntimeError, match="leaf"):
        x.add_(1)
    with pytest.raises(RuntimeError, match="leaf"):
        ReluInPlace.apply(x)
    with no_grad():
        x.add_(1)
    assert x.requires_grad
    assert x.grad_fn is None
    np.testing.assert_array_equal(x.data[1:], [3.0, 4.0])


def test_mark_dirty():
    """The input itself is returned, has this node and another version; what saved it before notices."""
    x = leaf()
    y = x * 2
    z = ReluInPlace.apply(y)
    assert z is y
    assert (y.grad_fn.name(), y._version) == ("ReluInPlaceBackward", 1)
    z.sum().backward()
    np.testing.assert_array_equal(x.grad.data, [0.0, 2.0, 2.0])
    y = leaf() * 2
    w = y * y
    ReluInPlace.apply(y)
    with pytest.raises(RuntimeError, match="inplace"):
        w.sum().backward()


def test_a_result_must_fit():
    """Broadcasting never changes the shape of what is changed in place."""
    with pytest.raises(RuntimeError, match="cannot hold"):
        (leaf() * 1).add_(Tensor(np.ones((2, 3))))


def test_only_a_returned_input_can_be_dirty():
    """mark_dirty of anything else is a mistake."""

    class Careless(ReluInPlace):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x * 1

    with pytest.raises(RuntimeError, match="mark_dirty"):
        Careless.apply(leaf() * 1)
