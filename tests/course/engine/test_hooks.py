"""Hooks on Tensors and on nodes."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course.engine import Tensor, grad


@pytest.fixture(params=["engine", "torch"])
def leaf(request):
    """A leaf of either library: hooks mean the same in both."""
    if request.param == "engine":
        return Tensor(3.0, requires_grad=True)
    return torch.tensor(3.0, dtype=torch.float64, requires_grad=True)


def test_a_tensor_hook_sees_the_whole_gradient_once_and_may_replace_it(leaf):
    """The sum over paths, before the node runs."""
    seen = []

    def hook(g):
        seen.append(g.item())
        return g * 10

    y = leaf * 2
    y.register_hook(hook)
    (y * y + y).backward()
    assert seen == [13.0]
    assert leaf.grad.item() == 260.0


def test_a_hook_on_a_leaf_and_its_removal(leaf):
    """It changes what is added to .grad, until it is removed."""
    handle = leaf.register_hook(lambda g: g + 1)
    (leaf * 2).backward()
    handle.remove()
    handle.remove()
    (leaf * 2).backward()
    assert leaf.grad.item() == 3.0 + 2.0


def test_a_node_hook_sees_inputs_and_outputs_gradients_and_may_replace_them(leaf):
    """It is called after the node's backward."""
    seen = []

    def hook(grad_inputs, grad_outputs):
        seen.append(([g if g is None else g.item() for g in grad_inputs], [g.item() for g in grad_outputs]))
        return (grad_inputs[0] * 100, None)

    y = leaf * 4
    y.grad_fn.register_hook(hook)
    (y * y).backward()
    assert seen == [([96.0, None], [24.0])]
    assert leaf.grad.item() == 9600.0


def test_retain_grad_sees_what_hooks_left(leaf):
    """The hook comes first, wherever it was registered."""
    y = leaf * 2
    y.retain_grad()
    y.register_hook(lambda g: g * 5)
    (y * 3).backward(retain_graph=True)
    (y * 3).backward()
    assert y.grad.item() == 30.0


def test_hooks_run_for_a_gradient_that_is_asked_for(leaf):
    """What grad() returns has passed the Tensor's hooks."""
    y = leaf * 2
    y.register_hook(lambda g: g * 5)
    module = torch.autograd.grad if isinstance(leaf, torch.Tensor) else grad
    assert module(y * 3, y)[0].item() == 15.0


def test_hooks_in_a_recorded_pass():
    """What a hook does is part of the graph under create_graph."""
    x = Tensor(3.0, requires_grad=True)
    y = x * x
    y.register_hook(lambda g: g * x)
    (first,) = grad(y, x, create_graph=True)
    assert first.item() == 18.0
    assert grad(first, x)[0].item() == 12.0


def test_a_hook_on_one_of_several_values_of_an_array():
    """Hooks see arrays as Tensors."""
    x = Tensor(np.arange(3.0), requires_grad=True)
    x.register_hook(lambda g: g * Tensor([0.0, 1.0, 2.0]))
    (x * 2).sum().backward()
    np.testing.assert_array_equal(x.grad.data, [0.0, 2.0, 4.0])
