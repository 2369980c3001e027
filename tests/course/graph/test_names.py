"""What tensors are called."""

import pytest
import torch

from course.engine import Tensor
from course.graph import draw, record


def number(value):
    return torch.tensor(value, requires_grad=True)


def names(graph):
    return [node.name for node in graph.nodes]


def test_the_callers_variables():
    x = number(2.0)
    square = x * x
    assert names(record(square)) == ["x", "square"]
    assert names(draw(square).graph) == ["x", "square"]


def test_names_that_are_given_come_first():
    x = number(2.0)
    y = x * x
    z = y.sin()
    assert names(record(z, names={"input": x, "w3": y})) == ["input", "w3", "z"]


def test_what_has_no_name_is_numbered():
    v2 = number(2.0)
    assert names(record((v2 * 2).sin().cos())) == ["v2", "v1", "v3", "v4"]


def test_jupyters_own_variables_are_not_names():
    _1 = number(2.0)
    __ = _1 * 2
    assert names(record(__)) == ["v1", "v2"]


def test_a_modules_parameters():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
    loss = model(torch.ones(1, 3)).sum()
    graph = record(loss)
    assert {"model.0.weight", "model.0.bias", "loss"} <= set(names(graph))


def test_a_name_stands_for_one_tensor():
    x = number(2.0)
    y = x * 3
    assert names(record(y, names={"y": x})) == ["y", "v1"]


def test_a_constant_that_was_saved_has_its_name():
    scale, x = torch.tensor(5.0), number(2.0)
    (saved,) = record(x * scale).nodes[-1].saved
    assert (saved.name, saved.value.number, saved.node) == ("scale", 5.0, None)


@pytest.mark.parametrize("thing", [2.0, Tensor(2.0, requires_grad=True)])
def test_names_are_for_tensors_of_the_same_kind(thing):
    x = number(2.0)
    with pytest.raises(TypeError, match="'w1'"):
        record(x * x, names={"w1": thing})
