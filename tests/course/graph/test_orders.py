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
    graph = record(slope, of=y)
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
    graph = record(slope, of=y)
    assert (graph.node("square").order, graph.node("slope").order) == (1, 2)


@KINDS
def test_a_third_derivative(kind):
    x = number(kind)
    y = x * x * x
    first = derivative(kind, y, x)
    second = derivative(kind, first, x)
    orders = {node.order for node in record(second, of=[y, first]).nodes}
    assert record(second, of=[y, first]).node("second").order == 3
    assert orders == {1, 2, 3}


def test_a_penalty_on_a_gradient():
    x = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(3, dtype=torch.float64, requires_grad=True)
    hidden = (x @ weight).tanh()
    total = hidden.sum()
    (slope,) = torch.autograd.grad(total, x, create_graph=True)
    penalty = ((slope.norm(dim=1) - 1) ** 2).mean()
    graph = record(penalty, of=total)
    orders = {node.operation: node.order for node in graph.nodes}
    assert (orders["mv"], orders["tanh"], orders["tanh_backward"], orders["mean"]) == (1, 1, 2, 2)


@KINDS
def test_without_of_a_graph_is_plain(kind):
    x = number(kind)
    y = x * x * x
    slope = derivative(kind, y, x)
    assert {node.order for node in record(slope).nodes} == {1}
    assert y.shape == ()


@KINDS
def test_what_was_computed_before_and_apart_is_of_first_order(kind):
    x, w = number(kind), number(kind, 3.0)
    scale = w * w
    y = x * x * x
    product = derivative(kind, y, x) * scale
    graph = record(product, of=y)
    assert (graph.node("scale").order, graph.node("product").order) == (1, 2)


@KINDS
def test_what_cannot_be_meant_by_of_is_refused_in_a_sentence(kind):
    x = number(kind)
    y = x * x * x
    slope = derivative(kind, y, x)
    apart = number(kind) * 2.0
    for of, error, said in (
        (x, ValueError, "was not computed from a tensor"),
        (number(kind), ValueError, "was not computed from a tensor"),
        (2.0, TypeError, "pass the tensor that was differentiated, not float"),
        (slope, ValueError, "no part of this graph was created by a backward pass from that tensor"),
        (apart, ValueError, "no part of this graph"),
        ([y, slope], ValueError, "no part of this graph"),
    ):
        with pytest.raises(error, match="^of: .*" + said) as caught:
            record(slope, of=of)
        assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="no part of this graph"):
        record(y, of=slope)


def test_the_picture_and_its_text_tell_second_order():
    x = number("torch")
    y = x**3
    (slope,) = torch.autograd.grad(y, x, create_graph=True)
    picture = draw(record(slope, of=y))
    assert "second order: created by the backward pass" in "".join(parse(picture).itertext())
    assert picture.svg().count('class="order"') == 3 + 1  # operations, and one in the legend
    assert picture.description.endswith("; of second or higher order v1, v2, slope.")
    assert 'class="order"' not in draw(record(y)).svg()
