"""What is read from PyTorch's tape, and that nothing there is changed."""

import gc
import types

import pytest
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


def test_results_of_a_native_operation_with_several():
    x = torch.arange(6.0, requires_grad=True)
    first, second = x.split(3)
    graph = record((second * second).sum())
    assert graph.node("second").kind == "result"
    assert graph.node("x").adjoint.entries == [0, 0, 0, 6, 8, 10]
    with pytest.raises(KeyError):
        graph.node("first")
    assert first.requires_grad


def test_both_edges_of_a_square():
    x = number(3.0)
    graph = record(x * x)
    assert [(edge.position, edge.local) for edge in graph.edges] == [(0, 3.0), (1, 3.0)]
    assert [step.kind for step in graph.steps] == ["seed", "travel", "travel", "sum"]


def test_an_exponent_is_told():
    x = number(3.0)
    assert record(x**2).nodes[-1].context == (("exponent", "2"),)


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


def test_a_graph_that_was_freed_is_still_shown_and_says_why_adjoints_are_missing():
    x = number(2.0)
    y = x * x
    y.backward()
    graph = record(y)
    assert "retain_graph=True" in graph.note
    assert not graph.swept
    assert [node.adjoint for node in graph.nodes] == [None, None]
    assert [node.name for node in graph.nodes] == ["x", "y"]
    assert x.grad == 4


def test_a_change_in_place_is_said_to_be_in_the_way():
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    z = y * y
    y += 1
    assert "in place" in record(z).note


def test_the_picture_begins_at_the_inputs():
    x, other = number(2.0), number(7.0)
    middle = x.exp()
    graph = record(middle * middle, inputs=[middle, other])
    assert [node.name for node in graph.nodes] == ["middle", "v1", "other"]
    assert graph.node("middle").kind == "leaf"
    assert graph.node("middle").adjoint.number == pytest.approx(2 * middle.item())
    assert graph.node("other").adjoint is None


def test_an_output_that_is_a_leaf():
    x = number(2.0)
    graph = record(x)
    assert [(node.kind, node.adjoint.number) for node in graph.nodes] == [("leaf", 1.0)]


def test_an_array_as_output_is_seeded_with_ones():
    x = torch.ones(2, 3, requires_grad=True)
    graph = record(x * 2)
    assert graph.steps[0].product.entries == [[1.0] * 3] * 2
    assert graph.node("x").adjoint.entries == [[2.0] * 3] * 2


def test_large_arrays_keep_their_shape_alone():
    weight = torch.zeros(64, 128, requires_grad=True)
    node = record((weight * 2).sum()).node("weight")
    assert (node.value.shape, node.value.dtype, node.value.nbytes) == ((64, 128), "float32", 64 * 128 * 4)
    assert node.value.entries is node.adjoint.entries is None


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_sums_where_paths_meet_are_those_of_the_dtype(dtype):
    x = torch.tensor([0.1, 0.7], dtype=dtype, requires_grad=True)
    graph = record((x * x + x.sin()).sum())
    assert graph.node("x").adjoint.dtype == str(dtype).removeprefix("torch.")
    total = [step for step in graph.steps if graph.node(step.node).name == "x"][-1].total
    assert total.entries == pytest.approx(graph.node("x").adjoint.entries, rel=1e-2)


def test_values_that_only_a_list_holds():
    x = number(0.5)
    layers = [x]
    for _ in range(3):
        layers.append(layers[-1].sin())
    graph = record(layers[-1])
    assert [node.value.number for node in graph.nodes] == [layer.item() for layer in layers]


def test_a_value_that_nobody_holds_is_left_out():
    x = number(0.5)
    graph = record(-(x + 1) * 2)
    assert [node.value is None for node in graph.nodes] == [False, True, True, False]


@pytest.mark.parametrize("thing", [3.0, "w5", None, [torch.ones(1)]])
def test_only_tensors_can_be_recorded(thing):
    with pytest.raises(TypeError, match="can be recorded"):
        record(thing)


def test_a_tensor_without_a_graph():
    with pytest.raises(ValueError, match="requires_grad=True"):
        record(torch.ones(3))
    with pytest.raises(ValueError, match="inputs"):
        record(number(1.0) * 2, inputs=[torch.ones(3)])
