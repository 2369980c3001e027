"""The truths of lessons 2 and 3 against torch's, and what counts as an order of the nodes."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import first_now
from verdicts import verdict_on

from autograder.check import local_probe
from autograder.exercises import EXERCISES, find
from autograder.tasks.engine_graphs import build, diamond, tangle
from autograder.tasks.topological_order.probe import order
from autograder.tasks.topological_order.verdict import of_one_graph
from autograder.tasks.unbroadcast.verdict import _drawn, repeated
from vjpcheck.arguments import differentiable
from vjpcheck.samples import drawn
from vjpcheck.truth.native import NativeTruth

BY_TORCH = {
    "engine_mul": lambda a, b: a * b,
    "engine_power": lambda x, p: x**p,
    "engine_tanh": torch.tanh,
    "engine_sum": lambda x, axis, keepdims: _sum(x, axis, keepdims),
    "engine_matmul": lambda a, b: a @ b,
    "engine_take": lambda x, index: x[index],
}


def _sum(x, axis, keepdims):
    return x.sum(dim=list(range(x.ndim)) if axis is None else axis, keepdim=keepdims)


@pytest.mark.parametrize("exercise", BY_TORCH)
@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_the_truth_is_that_of_torch_to_second_order(exercise, seed):
    data, generator = find(exercise), np.random.default_rng(seed)
    for arguments in drawn(data, generator).samples:
        truth = NativeTruth("autograder.engine", data.forward, arguments)
        tensors = [torch.tensor(a, requires_grad=True) if differentiable(a) else a for a in arguments]
        leaves = [t for t in tensors if isinstance(t, torch.Tensor)]
        requires = [differentiable(a) for a in arguments]
        output = BY_TORCH[exercise](*tensors)
        np.testing.assert_allclose(truth.outputs[0], output.detach().numpy())
        cotangent = torch.tensor(generator.standard_normal(output.shape), requires_grad=True)
        first = torch.autograd.grad(output, leaves, cotangent, create_graph=True)
        directions = [torch.tensor(generator.standard_normal(leaf.shape)) for leaf in leaves]
        live = [pair for pair in zip(first, directions, strict=True) if pair[0].requires_grad]  # not of x**0
        second = torch.autograd.grad(
            [gradient for gradient, _ in live] or [(cotangent * 0).sum()],
            [*leaves, cotangent],
            [direction for _, direction in live] or [torch.tensor(0.0, dtype=torch.float64)],
            materialize_grads=True,
        )
        given = [cotangent.detach().numpy()]
        spread = iter(directions)
        seconds = [next(spread).numpy() if flag else None for flag in requires]
        found = [g for g in truth.vjp(requires, given) if g is not None]
        for one, two in zip(found, first, strict=True):
            np.testing.assert_allclose(one, two.detach().numpy(), atol=1e-12)
        for_arguments, for_cotangents = truth.second_vjp(requires, given, seconds)
        found = [g for g in [*for_arguments, *for_cotangents] if g is not None]
        for one, two in zip(found, second, strict=True):
            np.testing.assert_allclose(one, two.numpy(), atol=1e-10)


@given(st.integers(0, 2**32))
def test_unbroadcast_is_torchs_sum_to_size(seed):
    generator = np.random.default_rng(seed)
    wide, shape = _drawn(generator)
    gradient = generator.standard_normal(wide)
    truth = gradient.sum(axis=repeated(wide, shape)).reshape(shape)
    np.testing.assert_allclose(truth, torch.tensor(gradient).sum_to_size(shape).numpy())


def random_order(tensor, seed, leaves):
    """Return one of the many orders in which each node stands before those that it sends gradients to."""
    users, waiting = {tensor.grad_fn: 0}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None:
                if parent not in users:
                    users[parent] = 0
                    waiting.append(parent)
                users[parent] += 1
    ready, order, draw = [tensor.grad_fn], [], random.Random(seed)
    while ready:
        node = ready.pop(draw.randrange(len(ready)))
        order.append(node)
        for parent, _ in node.next_functions:
            if parent is not None:
                users[parent] -= 1
                if not users[parent]:
                    ready.append(parent)
    return [node for node in order if leaves or node.next_functions]


@pytest.mark.parametrize(
    ("leaves", "seeds"), first_now([(False, range(2)), (False, range(2, 5)), (True, range(5))])
)
def test_every_order_is_right_that_keeps_to_the_edges(leaves, seeds):
    exercise = find("topological_order")
    for seed in seeds:
        result = verdict_on(exercise, lambda t, seed=seed: random_order(t, seed, leaves), seed)
        assert result.passed, str(result)


@given(st.integers(0, 2**32), st.sampled_from([diamond, tangle]))
def test_two_nodes_of_one_edge_exchanged_are_no_order(seed, make):
    exercise = find("topological_order")
    graph = make(np.random.default_rng(seed))

    def exchanged(tensor):
        order = random_order(tensor, seed, True)
        place = seed % (len(order) - 1)
        later = next(parent for parent, _ in order[place].next_functions or order[0].next_functions if parent)
        user = order[place] if order[place].next_functions else order[0]
        one, two = order.index(user), order.index(later)
        order[one], order[two] = order[two], order[one]
        return order

    for work, right in ((lambda t: random_order(t, seed, True), True), (exchanged, False)):
        found = of_one_graph(graph, local_probe(exercise, work).ask_one(order(graph)))
        assert [finding.mistake for finding in found] == ([] if right else ["wrong-order"])


@given(st.integers(0, 2**32))
def test_a_tangle_leads_from_its_last_step_to_all_others(seed):
    tensors = build(tangle(np.random.default_rng(seed)))
    nodes = random_order(tensors[-1], 0, True)
    assert {id(node) for node in nodes} == {id(tensor.node) for tensor in tensors}


@pytest.mark.shipped
def test_points_of_lessons_2_and_3_add_up_to_20():
    for lesson in (2, 3):
        assert sum(e.max_score for e in EXERCISES.values() if e.lesson == lesson) == 20
