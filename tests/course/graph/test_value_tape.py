"""A class of one's own with data, operands and partials is recorded as the engine's Tensors are."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course import engine
from course.engine import Tensor
from course.graph import draw, play, record
from course.graph.script_data import live_data


class Value:
    """As a reader of lesson 2 writes it; `==` compares numbers, so that it cannot be hashed."""

    def __init__(self, data: float, operands: tuple = (), partials: tuple = ()) -> None:
        self.data, self.operands, self.partials = data, operands, partials

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and self.data == other.data

    def __add__(self, other: "Value") -> "Value":
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other: "Value") -> "Value":
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def tanh(self) -> "Value":
        y = math.tanh(self.data)
        return Value(y, (self,), (1 - y * y,))


# each step names an operation and two earlier results
STEP = st.tuples(st.sampled_from(["add", "mul", "tanh"]), st.integers(0), st.integers(0))
STEPS = st.lists(STEP, min_size=1, max_size=8)
NUMBERS = st.lists(st.floats(-2, 2).map(lambda x: round(x, 3)), min_size=2, max_size=2)


def computed(leaves: list[Any], steps: list[tuple[str, int, int]]) -> Any:
    results = list(leaves)
    for name, first, second in steps:
        a, b = results[first % len(results)], results[second % len(results)]
        tanh = a.tanh() if isinstance(a, Value) else engine.tanh(a)
        results.append(a + b if name == "add" else a * b if name == "mul" else tanh)
    return results[-1]


@given(NUMBERS, STEPS)
def test_it_has_the_numbers_and_arrows_of_the_engines_graph(numbers, steps):
    own = record(computed([Value(x) for x in numbers], steps))
    leaves = [Tensor(x, requires_grad=True) for x in numbers]  # the engine leaves out those that nobody holds
    truth = record(computed(leaves, steps))
    assert [node.kind for node in own.nodes] == [node.kind for node in truth.nodes]
    for node, other in zip(own.nodes, truth.nodes, strict=True):
        assert node.value.number == pytest.approx(other.value.number)
        assert node.adjoint.number == pytest.approx(other.adjoint.number)
        # where two operations agree, as x + x and 2 · x would at some numbers, none is named
        assert node.operation in (other.operation, "Value" if other.operation else None)
    assert [(e.source, e.target) for e in own.edges] == [(e.source, e.target) for e in truth.edges]


def test_operations_are_named_by_their_numbers_and_its_leaves_can_be_moved():
    x = Value(0.3)
    c = x + x
    y = c + c * c
    graph = record(y.tanh() * x, names={"x": x})
    assert [node.operation for node in graph.nodes] == [None, "add", "mul", "add", "tanh", "mul"]
    assert live_data(graph) is not None
    assert "c = x + x = 0.6" in draw(y).description
    assert "backward-player" in play(y).html()


def test_a_wrong_partial_names_no_operation_and_is_drawn_as_it_is():
    x, y = Value(2.0), Value(5.0)
    wrong = Value(10.0, (x, y), (2.0, 5.0))  # the product's, exchanged
    graph = record(wrong, names={"x": x, "y": y, "wrong": wrong})
    assert [node.operation for node in graph.nodes] == [None, None, "Value"]
    assert [node.adjoint.number for node in graph.nodes] == [2.0, 5.0, 1.0]
    assert live_data(graph) is None


def test_a_long_graph_is_read_without_recursion():
    total = x = Value(1.0)
    for _ in range(5_000):
        total = total + x
    assert record(total).nodes[0].adjoint.number == 5_001


def test_what_cannot_be_recorded_is_said():
    with pytest.raises(TypeError, match="int has no data"):
        record(3)
    with pytest.raises(ValueError, match="there are 2 operands and 1 partials"):
        record(Value(1.0, (Value(1.0), Value(2.0)), (1.0,)))
