"""Recording changes nothing in the user's graph."""

import gc
import types

import pytest
import torch
from torch.autograd import Function

from course.graph import record


def number(value):
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


class Broken(Function):
    """A student's first attempt."""

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        raise ZeroDivisionError("the student's own error")


def living_hooks():
    """Find what a hook of the recorder would keep alive."""
    functions = [thing for thing in gc.get_objects() if type(thing) is types.FunctionType]
    return [f for f in functions if f.__module__ == "course.graph.torch_tape" and f.__name__ == "hook"]


def test_nothing_is_changed():
    x, unrelated = number(2.0), number(1.0)
    unrelated.grad = torch.tensor(5.0, dtype=torch.float64)
    hidden = [x.sin()]
    y = hidden[0] * x
    hidden[0].retain_grad()
    kept = x.cos()
    kept.retain_grad()
    (y * kept).backward(retain_graph=True)
    before = x.grad, x.grad.clone(), hidden[0].grad, hidden[0].grad.clone(), kept.grad
    z = y * kept
    record(z)
    record(z)
    assert x.grad is before[0]
    assert torch.equal(x.grad, before[1])
    assert hidden[0].grad is before[2]
    assert torch.equal(hidden[0].grad, before[3])
    assert kept.grad is before[4]
    assert unrelated.grad == 5
    gc.collect()
    assert living_hooks() == []
    x.grad = None
    z.backward()
    expected = torch.autograd.grad(x.sin() * x * x.cos(), x)[0]
    assert torch.allclose(x.grad, expected)


def test_an_error_in_backward_is_the_students_own_and_no_hook_stays():
    x = number(1.0)
    with pytest.raises(ZeroDivisionError, match="own error"):
        record(Broken.apply(x) * 2)
    gc.collect()
    assert living_hooks() == []
