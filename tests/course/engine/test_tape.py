"""The graph as a list, on which lesson 1's two sweeps run."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from course.engine import Tensor, log, sin
from course.engine.tape import Step, tape


def leaf(value):
    """Return a leaf that requires a gradient."""
    return Tensor(value, requires_grad=True)


def reverse_sweep(steps):
    """Return all adjoints: the textbook's loop."""
    adjoints = dict.fromkeys((step.name for step in steps), 0.0)
    adjoints[steps[-1].name] = 1.0
    for step in reversed(steps):
        for operand, partial in zip(step.operands, step.partials, strict=True):
            adjoints[operand] += adjoints[step.name] * partial
    return adjoints


def test_the_example_of_lesson_1():
    """ln x1 + x1·x2 − sin x2 at (2, 5)."""
    x1, x2 = leaf(2.0), leaf(5.0)
    steps = tape(log(x1) + x1 * x2 - sin(x2), {"x1": x1, "x2": x2})
    assert steps == [
        Step("x1", (), ()),
        Step("x2", (), ()),
        Step("w1", ("x1",), (0.5,)),
        Step("w2", ("x1", "x2"), (5.0, 2.0)),
        Step("w3", ("w1", "w2"), (1.0, 1.0)),
        Step("w4", ("x2",), (math.cos(5.0),)),
        Step("w5", ("w3", "w4"), (1.0, -1.0)),
    ]
    assert reverse_sweep(steps)["x1"] == 5.5


def test_the_same_operand_twice():
    """x·x has two operands and two partials."""
    x = leaf(3.0)
    assert tape(x * x, {"x": x})[-1] == Step("w1", ("x", "x"), (3.0, 3.0))


def test_constants_do_not_stand_on_the_tape():
    """Only what a derivative is taken by."""
    x = leaf(3.0)
    assert tape(2 * x + 1, {"x": x})[1:] == [Step("w1", ("x",), (2.0,)), Step("w2", ("w1",), (1.0,))]


def test_names_may_be_given_to_any_value_and_are_not_used_twice():
    """A name of the caller's is never given to another value."""
    x = leaf(3.0)
    y = x * x
    assert [step.name for step in tape(sin(y) + x, {"w1": y, "x": x})] == ["x", "w1", "w2", "w3"]


def test_named_values_that_the_output_does_not_depend_on():
    """They stand on the tape, and their adjoint is zero."""
    x, unused = leaf(3.0), leaf(4.0)
    side = unused * x
    steps = tape(x * 2, {"x": x, "unused": unused, "side": side})
    assert [step.name for step in steps] == ["x", "unused", "side", "w1"]
    assert reverse_sweep(steps) == {"x": 2.0, "unused": 0.0, "side": 0.0, "w1": 1.0}


@given(
    st.lists(
        st.tuples(st.sampled_from("+-*"), st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=20
    )
)
def test_a_sweep_over_the_tape_is_a_backward(program):
    """Operands precede their steps, and the sweep gives the gradients; the graph is kept."""
    leaves = [leaf(0.5), leaf(-1.5)]
    values = [*leaves]
    for operator, i, j in program:
        a, b = values[i % len(values)], values[j % len(values)]
        values.append(a + b if operator == "+" else a - b if operator == "-" else a * b)
    output = values[-1]
    steps = tape(output, {"a": leaves[0], "b": leaves[1]})
    known = set()
    for step in steps:
        assert known.issuperset(step.operands)
        known.add(step.name)
    assert len(known) == len(steps)
    adjoints = reverse_sweep(steps)
    output.backward()
    expected = [0.0 if x.grad is None else x.grad.item() for x in leaves]
    # what cancels in one order of summing leaves a rounding error in another
    rounding = 1e-12 * max(map(abs, adjoints.values()))
    assume(np.isfinite(rounding))
    np.testing.assert_allclose([adjoints["a"], adjoints["b"]], expected, rtol=1e-12, atol=rounding)


def test_what_has_no_tape():
    """Arrays, constants, and graphs that are gone."""
    with pytest.raises(ValueError, match="only numbers"):
        tape(leaf(np.ones(2)) * 2)
    with pytest.raises(RuntimeError, match="does not require"):
        tape(Tensor(1.0))
    x = leaf(3.0)
    y = x * x
    y.backward()
    with pytest.raises(RuntimeError, match="second time"):
        tape(y)
