"""Which operations are of second order: those that PyTorch, or the engine, made in a backward pass."""

import pytest
import torch
from graph_pictures import parse

import course.engine as engine
from course.graph import draw, record


def number(kind, value=2.0):
    if kind == "torch":
        return torch.tensor(value, dtype=torch.float64, requires_grad=True)
    return engine.Tensor(value, requires_grad=True)


def derivative(kind, y, x):
    module = torch.autograd if kind == "torch" else engine
    return module.grad(y, x, create_graph=True)[0]


def made_in_backward(output, first):
    """List the functions that torch's backward made: those behind `output` and not behind `first`."""

    def behind(function):
        found, stack = [], [function]
        while stack:
            each = stack.pop()
            if each is not None and each not in found:
                found.append(each)
                stack += [operand for operand, _ in each.next_functions]
        return found

    before = behind(first.grad_fn)
    return [each.name() for each in behind(output.grad_fn) if each not in before]


KINDS = pytest.mark.parametrize("kind", ["engine", "torch"])
FUNCTIONS = {
    "cube": lambda x: x * x * x,
    "exp": lambda x: x.exp(),
    "tanh": lambda x: x.tanh(),
    "mixed": lambda x: x.sin() * x.exp(),
}


@KINDS
@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_the_backward_made_is_of_second_order(kind, name):
    x = number(kind)
    y = FUNCTIONS[name](x)
    slope = derivative(kind, y, x)
    graph = record(slope)
    orders = [node.order for node in graph.nodes if node.kind == "operation"]
    assert graph.node("slope").order == 2
    if kind == "torch":
        assert orders.count(2) == len(made_in_backward(slope, y))
    assert graph.node("x").order == 1


@KINDS
def test_what_the_output_was_computed_from_is_of_first_order(kind):
    x = number(kind)
    square = x * x
    y = square * x
    slope = derivative(kind, y, x)
    graph = record(slope)
    assert (graph.node("square").order, graph.node("slope").order) == (1, 2)
    assert y.shape == ()


@KINDS
def test_a_third_derivative(kind):
    x = number(kind)
    y = x * x * x
    first = derivative(kind, y, x)
    second = derivative(kind, first, x)
    assert record(second).node("second").order == 3


def test_a_penalty_on_a_gradient():
    x = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(3, dtype=torch.float64, requires_grad=True)
    hidden = (x @ weight).tanh()
    total = hidden.sum()
    (slope,) = torch.autograd.grad(total, x, create_graph=True)
    penalty = ((slope.norm(dim=1) - 1) ** 2).mean()
    graph = record(penalty)
    orders = {node.operation: node.order for node in graph.nodes}
    assert (orders["mv"], orders["tanh"], orders["tanh_backward"], orders["mean"]) == (1, 1, 2, 2)


@KINDS
def test_a_derivative_written_by_hand_beside_others_is_of_first_order(kind):
    x = number(kind, 3.0)
    unrelated = x * x
    y = x.sin()
    z = y * x
    assert {node.order for node in record(z).nodes} == {1}
    assert unrelated.shape == ()


def test_finding_out_leaves_no_trace():
    x = number("torch")
    y = x * x * x
    y.retain_grad()
    (slope,) = torch.autograd.grad(y, x, create_graph=True)
    kept = y.grad
    assert record(slope).node("slope").order == 2
    assert x.grad is None
    assert y.grad is kept
    slope.backward()
    assert x.grad == 12


def test_the_picture_and_its_text_tell_second_order():
    x = number("torch")
    y = x**3
    (slope,) = torch.autograd.grad(y, x, create_graph=True)
    picture = draw(record(slope))
    assert "second order: made by the backward pass" in "".join(parse(picture).itertext())
    assert picture.svg().count('class="order"') == 3 + 1  # operations, and one in the legend
    assert picture.description.endswith("; of second or higher order v1, v2, slope.")
    assert 'class="order"' not in draw(record(y)).svg()
