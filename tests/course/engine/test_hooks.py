"""Hooks on nodes: they mean in the engine what they mean in torch."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course.engine import Tensor, grad


@pytest.fixture(params=["engine", "torch"])
def leaf(request):
    """A leaf of either library."""
    if request.param == "engine":
        return Tensor(3.0, requires_grad=True)
    return torch.tensor(3.0, dtype=torch.float64, requires_grad=True)


def test_a_hook_sees_the_gradients_that_go_in_and_out_and_may_replace_them(leaf):
    """It is called after the node's backward, once, with the whole adjoint."""
    seen = []

    def hook(grad_inputs, grad_outputs):
        seen.append(([g if g is None else g.item() for g in grad_inputs], [g.item() for g in grad_outputs]))
        return (grad_inputs[0] * 100, None)

    y = leaf * 4
    y.grad_fn.register_hook(hook)
    (y * y).backward()
    assert seen == [([96.0, None], [24.0])]
    assert leaf.grad.item() == 9600.0


def test_a_hook_sees_what_the_one_before_it_left(leaf):
    """In order of registration."""
    y = leaf * 4
    seen = []
    y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: (grad_inputs[0] + 1, None))
    y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: seen.append(grad_inputs[0].item()))
    y.backward()
    assert seen == [5.0]
    assert leaf.grad.item() == 5.0


def test_a_hook_that_was_removed_is_not_called(leaf):
    """Removing it twice is harmless."""
    y = leaf * 4
    handle = y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: (grad_inputs[0] * 100, None))
    handle.remove()
    handle.remove()
    y.backward()
    assert leaf.grad.item() == 4.0


def test_hooks_in_a_recorded_pass():
    """What a hook does is part of the graph under create_graph."""
    x = Tensor(3.0, requires_grad=True)
    y = x * x
    y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: tuple(g * x for g in grad_inputs))
    (first,) = grad(y, x, create_graph=True)
    assert first.item() == 18.0
    assert grad(first, x)[0].item() == 12.0


def test_a_hook_on_a_leafs_node_sees_its_gradient():
    """Arrays come as Tensors; there is nothing to hand on."""
    x = Tensor(np.arange(3.0), requires_grad=True)
    seen = []
    x.node.register_hook(lambda grad_inputs, grad_outputs: seen.append((grad_inputs, grad_outputs[0].data)))
    (x * 2).sum().backward()
    ((inputs, gradient),) = seen
    assert inputs == ()
    np.testing.assert_array_equal(gradient, [2.0, 2.0, 2.0])
