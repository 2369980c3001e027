"""How numbers, names and widths are written and measured."""

import math

import numpy as np
import pytest

from course.engine import Tensor
from course.graph import record, words
from course.graph.model import of_array
from course.graph.words import width


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (6.909297426825682, "6.909"),
        (-0.4161468365471424, "−0.4161"),
        (2.0, "2"),
        (-0.0, "0"),
        (1e-5, "1e−5"),
        (1.5e22, "1.5e22"),
        (123456.0, "1.235e5"),
        (100.0, "100"),
        (math.inf, "inf"),
        (-math.inf, "−inf"),
        (math.nan, "nan"),
        (True, "True"),
    ],
)
def test_numbers_have_four_significant_digits(value, text):
    assert words.number(value) == text


@pytest.mark.parametrize(
    ("name", "pretty", "barred"),
    [
        ("w1", "w₁", "w̄₁"),
        ("x", "x", "x̄"),
        ("w12", "w₁₂", "w̄₁₂"),
        ("loss", "loss", "l̅o̅s̅s̅"),
        ("w1x", "w1x", "w̅1̅x̅"),
    ],
)
def test_names(name, pretty, barred):
    assert words.pretty(name) == pretty
    assert words.barred(name) == barred


def test_a_name_is_cut_in_the_middle_and_no_longer_than_asked():
    name = "model.decoder.layers.3.weight"
    for longest in range(5, 40):
        short = words.short(name, longest)
        assert len(short) == min(longest, len(name))
        assert short[0] == "m"
        assert short[-1] == "t"


def test_widths_are_those_of_helvetica():
    assert width("W", 1000) == 944
    assert width("w~", 1000) == 722 + 584
    assert width("il", 1000) == 444
    assert width("w̄", 10) == width("w", 10)
    assert width("w", 10, bold=True) > width("w", 10)


def test_small_arrays_are_told_in_full_and_large_ones_by_their_shape():
    x = Tensor(np.array([1.0, -2.5]), requires_grad=True)
    matrix = Tensor(np.ones((5, 2)), requires_grad=True)
    y = (x * matrix).sum()
    text = words.describe(record(y))
    assert "x = [1 −2.5]" in text
    assert "matrix = an array of 5 × 2" in text
    assert "adjoints x [5 5]" in text


@pytest.mark.parametrize(
    ("small", "wide", "said"),
    [
        ((3,), (2, 3), "the rows were added, because each row used a copy of b"),
        ((1, 3), (2, 3), "the rows were added, because each row used a copy of b"),
        ((2, 1), (2, 3), "the columns were added, because each column used a copy of b"),
        ((), (2, 3), "all entries were added, because each used a copy of b"),
        ((2, 1), (4, 2, 3), "a sum was taken over axes 0 and 2, because b was copied there"),
        ((4, 1, 3), (4, 2, 3), "a sum was taken over axis 1, because b was copied there"),
        ((2, 3), (2, 3), ""),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_broadcast_that_backward_undoes_is_said(small, wide, said, swapped):
    a = Tensor(np.ones(wide), requires_grad=True)
    b = Tensor(np.ones(small), requires_grad=True)
    graph = record((b * a if swapped else a * b).sum(), names={"a": a, "b": b})
    told = {graph.node(edge.source).name: words.added(graph, edge) for edge in graph.edges}
    assert (told["a"], told["b"]) == ("", said)


def test_other_changes_of_shape_are_no_broadcast():
    a = Tensor(np.ones((2, 3)), requires_grad=True)
    graph = record((a.reshape((6,))[np.array([1, 1])] @ Tensor(np.ones((2, 2)))).sum())
    assert {words.added(graph, edge) for edge in graph.edges} == {""}


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (2.0, "2"),
        ([1.0, 0.0, 1.0], "[1 0 1]"),
        ([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]], "shape (2, 3)"),
        ([1.25, 1.5, 1.75], "shape (3,)"),
        (np.ones((5, 1)), "shape (5, 1)"),
    ],
)
def test_where_there_is_little_room_an_array_is_told_in_full_or_by_its_shape(entries, said):
    assert words.brief(of_array(np.array(entries))) == said
