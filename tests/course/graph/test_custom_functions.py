"""Functions that a student wrote in PyTorch: their names, what they keep, what they return."""

import torch
from torch.autograd import Function

from course.graph import record


def number(value):
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


class KillHead(Function):
    """The identity, whose backward kills the gradient of the first n columns."""

    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        grad = grad_output.clone()
        grad[:, : ctx.n] = 0
        return grad, None


class Linear(Function):
    """A linear layer whose bias may be None."""

    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight, bias)
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, grad):
        x, weight, bias = ctx.saved_tensors
        return grad @ weight, grad.T @ x, None if bias is None else grad.sum(0)


class ProductAndSum(Function):
    """Two outputs; no gradient goes back to b."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(b)
        return a * b, a + b

    @staticmethod
    def backward(ctx, product, total):
        (b,) = ctx.saved_tensors
        return product * b + total, None


def test_a_custom_function_under_its_own_name():
    x = torch.ones(2, 5, requires_grad=True)
    y = KillHead.apply(x, 3)
    graph = record(y.sum())
    node = graph.node("y")
    assert node.operation == "KillHead"
    assert node.custom
    assert node.context == (("n", "3"),)
    assert node.needs_grad == (True, False)
    assert node.saved == ()
    assert graph.node("x").adjoint.entries == [[0, 0, 0, 1, 1]] * 2


def test_native_multiplication_beside_a_custom_one():
    class Multiply(Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, grad):
            a, b = ctx.saved_tensors
            return grad * b, grad * a

    a, b = number(2.0), number(-3.0)
    native, custom = a * b, Multiply.apply(a, b)
    graph = record(native + custom)
    one, other = graph.node("native"), graph.node("custom")
    assert (one.operation, one.custom, other.operation, other.custom) == ("mul", False, "Multiply", True)
    assert [edge.local for edge in graph.operands(one.id)] == [
        edge.local for edge in graph.operands(other.id)
    ]
    assert [saved.name for saved in other.saved] == ["a", "b"]
    assert [graph.node(saved.node).name for saved in one.saved] == ["a", "b"]


def test_linear_without_bias():
    x, weight = torch.ones(5, 3), torch.ones(2, 3, requires_grad=True)
    y = Linear.apply(x, weight, None)
    graph = record(y.sum())
    node = graph.node("y")
    assert node.needs_grad == (False, True, False)
    (edge,) = graph.operands(node.id)
    assert (graph.node(edge.source).name, edge.position) == ("weight", 1)
    assert [(saved.name, saved.value.shape, saved.value.nbytes) for saved in node.saved] == [
        ("x", (5, 3), 60),
        ("weight", (2, 3), 24),
    ]


def test_several_outputs_of_which_one_is_not_used():
    a, b = number(2.0), number(5.0)
    product, total = ProductAndSum.apply(a, b)
    graph = record(product * 3)
    function = next(node for node in graph.nodes if node.custom)
    assert function.adjoint is None
    assert [graph.node(edge.target).name for edge in graph.uses(function.id)] == ["product", "total"]
    assert graph.node("product").adjoint.number == 3
    assert graph.node("total").adjoint is None
    assert graph.node("total").value.number == total.item() == 7
    assert graph.node("a").adjoint.number == 15
    # Where backward returns None, no gradient is shown: nor is it 0.
    assert graph.node("b").adjoint is None
    assert [edge.product for edge in graph.uses(graph.node("b").id)] == [None]


class MaxWithIndex(Function):
    """Largest entries and where they stand; the second output has no gradient."""

    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1)
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        return values, index

    @staticmethod
    def backward(ctx, grad, _):
        (index,) = ctx.saved_tensors
        return torch.zeros(ctx.shape).scatter_(1, index[:, None], grad[:, None])


def test_an_output_that_is_not_differentiable():
    x = torch.tensor([[1.0, 5.0], [7.0, 2.0]], requires_grad=True)
    values, index = MaxWithIndex.apply(x)
    graph = record(values.sum())
    function = next(node for node in graph.nodes if node.custom)
    results = [graph.node(edge.target) for edge in graph.uses(function.id)]
    assert [(node.name, node.adjoint is None) for node in results] == [("values", False), ("v1", True)]
    assert [saved.value.dtype for saved in function.saved] == ["int64"]
    assert graph.node("x").adjoint.entries == [[0, 1], [1, 0]]
    assert index.tolist() == [1, 0]


class ReluInPlace(Function):
    """relu that changes its input."""

    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.clamp_(min=0)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * (y > 0)


def test_a_function_that_changes_its_input():
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    y = x * 2
    z = ReluInPlace.apply(y)
    graph = record(z.sum())
    assert y is z
    assert [node.operation for node in graph.nodes] == [None, "mul", "ReluInPlace", "sum"]
    assert [graph.node(saved.node).operation for saved in graph.nodes[2].saved] == ["ReluInPlace"]
    assert graph.node("x").adjoint.entries == [2, 0]
