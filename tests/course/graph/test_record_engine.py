"""What is read from the engine's tape, and that nothing there is changed."""

import subprocess
import sys

import numpy as np
import pytest

from course.engine import Function, Tensor, exp, sin
from course.graph import record


def number(value):
    return Tensor(value, requires_grad=True)


class MulConstant(Function):
    """Multiply by a number that has no gradient."""

    @staticmethod
    def forward(ctx, x, constant):
        ctx.constant = constant
        return x * constant

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.constant, None


def test_the_five_values_of_lesson_1():
    w1, w2 = number(2.0), number(3.0)
    w3, w4 = w1 * w2, sin(w1)
    w5 = w3 + w4
    graph = record(w5)
    assert [node.name for node in graph.nodes] == ["w1", "w2", "w3", "w4", "w5"]
    assert [node.operation for node in graph.nodes] == [None, None, "mul", "sin", "add"]
    adjoints = {node.name: node.adjoint.number for node in graph.nodes}
    assert adjoints == {"w5": 1, "w4": 1, "w3": 1, "w2": 2, "w1": pytest.approx(3 + np.cos(2))}
    sums = [step for step in graph.steps if step.kind == "sum"]
    assert [graph.node(step.node).name for step in sums] == ["w1"]


def test_torch_stays_out():
    code = (
        "import sys, course.graph as g; from course.engine import Tensor;"
        "x = Tensor(3.0, requires_grad=True); g.draw(g.record(x * x)).svg(); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_function_of_ones_own():
    x = number(2.0)
    y = MulConstant.apply(x, 5.0)
    node = record(y).node("y")
    assert (node.operation, node.custom, node.context) == ("MulConstant", True, (("constant", "5.0"),))
    assert node.needs_grad == (True, False)


def test_products_have_the_shape_of_their_operand_after_broadcasting():
    row, column = Tensor(np.ones(3), requires_grad=True), Tensor(np.ones((2, 1)), requires_grad=True)
    graph = record((row * column).sum())
    assert [edge.product.shape for edge in graph.operands(graph.node("v1").id)] == [(3,), (2, 1)]
    assert graph.node("row").adjoint.entries == [2, 2, 2]


def test_nothing_is_changed():
    x = number(2.0)
    y = exp(x)
    z = y * x
    record(z)
    assert x.grad is None
    z.backward(retain_graph=True)
    first = x.grad.item()
    record(z)
    assert x.grad.item() == first
    assert not any(node.hooks for node in (z.grad_fn, y.grad_fn))


def test_values_need_no_names():
    x = number(0.5)
    graph = record(sin(x * 3.0) + 1.0)
    assert [node.name for node in graph.nodes] == ["x", "v1", "v2", "v3"]
    assert [node.value.number for node in graph.nodes] == [0.5, 1.5, np.sin(1.5), np.sin(1.5) + 1]


def test_a_leaf_that_nobody_holds_is_a_constant():
    x = number(2.0)
    graph = record(number(3.0) * x)
    assert [node.name for node in graph.nodes] == ["x", "v1"]
    assert graph.edges[0].position == 1


def test_a_graph_that_was_freed():
    x = number(2.0)
    y = x * x
    y.backward()
    graph = record(y)
    assert "retain_graph=True" in graph.note
    assert [node.value.number for node in graph.nodes] == [2, 4]


def test_a_local_derivative_where_the_adjoint_is_zero():
    x, zero = number(2.0), 0.0
    y = x * x
    graph = record(y * zero)
    assert [edge.local for edge in graph.operands(graph.node("y").id)] == [2.0, 2.0]
    assert graph.node("y").adjoint.number == 0
