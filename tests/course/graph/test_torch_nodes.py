"""What the pictures ask of PyTorch beyond its documentation is there, name by name.

Where a new release fails a test here, `course/graph/torch_internals.py` is what to change.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.autograd import Function

from course.graph import record, torch_internals, torch_tape
from course.graph.torch_internals import KEPT, MOVES, PLAIN, RULES, UNARY, UnavailableError

A = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=torch.float64, requires_grad=True)
B = torch.tensor([[0.5, 0.25], [2.0, 1.5], [1.0, 3.0]], dtype=torch.float64, requires_grad=True)
V = torch.tensor([1.5, 2.0, 0.5], dtype=torch.float64, requires_grad=True)


def second(function: Callable[[Tensor], Tensor]) -> Tensor:
    """Return a derivative, whose node is that of a backward."""
    (gradient,) = torch.autograd.grad(function(V).sum(), V, create_graph=True)
    return gradient


# the operations that a page can compute, by the name of their node
OPERATIONS: dict[str, Callable[[], Tensor]] = {
    **{name: lambda name=name: getattr(torch, name.lower())(A) for name in sorted(UNARY)},
    "Mul": lambda: A * B.mT,
    "Div": lambda: A / B.mT,
    "Pow": lambda: A**3,
    "Mm": lambda: A @ B,
    "Bmm": lambda: torch.bmm(A[None], B[None]),
    "Mv": lambda: A @ V,
    "Dot": lambda: V @ V,
    "Addmm": lambda: torch.addmm(V[:2], A, B),
    "TanhBackward": lambda: second(torch.tanh),
    "SigmoidBackward": lambda: second(torch.sigmoid),
    "T": lambda: A.t(),
    "Transpose": lambda: A[None].transpose(-1, -2),
    "Permute": lambda: A[None].permute(2, 0, -2),
    "Expand": lambda: V.expand(2, 3),
    "Select": lambda: A[-1],
    "Slice": lambda: A[:, -2:],
    "Index": lambda: A[:, torch.tensor([2, 0, 0])],
    "View": lambda: A.view(6),
    "UnsafeView": lambda: A[None] @ B,
    "Squeeze": lambda: A[None].squeeze(0),
    "Unsqueeze": lambda: A.unsqueeze(0),
    "Clone": lambda: A.clone(),
    "Alias": lambda: torch.ops.aten.alias(A),
    "Add": lambda: A + B.mT,
    "Sub": lambda: A - 1.0,
    "Rsub": lambda: 1.0 - A,
    "Sum": lambda: A.sum(-1),
    "Mean": lambda: A.mean(),
}


def test_each_name_of_a_table_has_an_operation():
    assert {*UNARY, *KEPT, *MOVES, *RULES} <= {*OPERATIONS}


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_page_can_compute_each_operation_again(name):
    output = OPERATIONS[name]()
    assert torch_internals.operation(output.grad_fn) == name
    graph = record(output, names={"output": output})
    (node,) = (node for node in graph.nodes if node.name == "output")
    assert node.rule is not None


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_a_node_no_longer_keeps_leaves_its_recorded_numbers(name, monkeypatch):
    output = OPERATIONS[name]()

    def gone(node, *_):
        raise UnavailableError("slot")

    for asks in ("slot", "slot_or", "has_slot"):
        monkeypatch.setattr(torch_internals, asks, gone)
    monkeypatch.setattr(torch_tape, "slot_or", lambda node, name, default: default)
    graph = record(output, names={"output": output})
    (node,) = (node for node in graph.nodes if node.name == "output")
    assert node.value is not None
    assert node.adjoint is not None


@pytest.mark.parametrize(
    ("slot", "plain", "other"),
    [
        ("alpha", A + B.mT, torch.add(A, B.mT, alpha=2)),
        ("alpha", A - B.mT, torch.sub(A, B.mT, alpha=2)),
        ("beta", torch.addmm(V[:2], A, B), torch.addmm(V[:2], A, B, beta=2)),
        ("rounding_mode", torch.div(A, B.mT, rounding_mode=None), torch.div(A, B.mT, rounding_mode="floor")),
    ],
)
def test_a_node_keeps_what_its_operation_was_called_with(slot, plain, other):
    assert torch_internals.slot_or(plain.grad_fn, slot, PLAIN[slot]) == PLAIN[slot]
    assert torch_internals.slot(other.grad_fn, slot) != PLAIN[slot]


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * grad_output


def test_the_node_of_a_function_of_ones_own():
    node, native = Double.apply(V).grad_fn, V.exp().grad_fn
    assert torch_internals.is_custom(node)
    assert not torch_internals.is_custom(native)
    assert torch_internals.function_of(node) is Double
    assert torch.equal(torch_internals.call(node, torch.ones(3)), torch.full((3,), 2.0))
    assert torch.equal(torch_internals.call(V.neg().grad_fn, torch.ones(3)), -torch.ones(3))


def test_nodes_are_numbered_in_the_order_in_which_they_are_made():
    first, later = V.exp(), V.sin()
    assert torch_internals.number(first.grad_fn) < torch_internals.number(later.grad_fn)


def test_a_node_knows_shape_and_dtype_of_what_it_takes():
    (taken,) = torch_internals.metadata(A.sum(0).grad_fn)
    assert (tuple(taken.shape), taken.dtype) == ((3,), torch.float64)


def test_a_leaf_has_a_node_of_its_own():
    native = V.exp().grad_fn
    ((leaf, _),) = native.next_functions
    assert torch_internals.is_leaf(leaf)
    assert not torch_internals.is_leaf(native)


def test_a_number_to_the_power_of_a_tensor_is_told_from_the_power_of_a_tensor():
    assert torch_internals.is_power_of_a_number((2.0**V).grad_fn)
    assert not torch_internals.is_power_of_a_number((V**2.0).grad_fn)


def test_a_missing_name_is_told_in_a_sentence():
    with pytest.raises(UnavailableError, match=r"^PyTorch .* has no .*\._saved_nothing, which this picture"):
        torch_internals.slot(V.exp().grad_fn, "nothing")
