"""What is written about the arguments of a Function, for each kind of argument."""

from dataclasses import replace

import numpy as np
import pytest
from argument_text import paragraph

from autograder.exercise import FunctionExercise
from autograder.exercises import find
from vjpcheck.arguments import black_box
from vjpcheck.domain import Array, Axis, Choice, Domain, Index, Integer, Optional, Real, Seed

COURSE = find("kill_head")


def written(domain: Domain, **others: object) -> list[str]:
    """Return the sentences about the arguments of an exercise with this domain, each in one line."""
    assert isinstance(COURSE, FunctionExercise)
    text = paragraph(replace(COURSE, domain=domain, **others))
    return text.replace("\n" + " " * 12, " ").replace(" " * 8, "").split("\n")


def of_one(kind: object, **others: object) -> str:
    """Return what is written about an argument `a`, beside an array `x`."""
    domain = Domain({"x": Array("n m"), "a": kind}, **others)
    return written(domain)[1]


@pytest.mark.parametrize(
    ("array", "lead", "said"),
    [
        (Array("rows columns"), (0, 4), "shape (rows, columns), float32 or float64"),
        (Array("n"), (0, 4), "shape (n,), float32 or float64"),
        (Array("... n"), (0, 4), "shape (..., n), float32 or float64"),
        (Array("... n"), (0, 1), "shape (n,) or (batch, n), float32 or float64"),
        (Array("... n"), (1, 2), "shape (..., n), where ... is one or two axes, float32 or float64"),
        (Array("... n"), (1, 4), "shape (..., n), where ... is at least one axis, float32 or float64"),
        (Array("..."), (0, 4), "any shape, float32 or float64"),
        (Array("..."), (1, 4), "any shape with at least one axis, float32 or float64"),
        (Array("..."), (2, 3), "a tensor of two or three axes, float32 or float64"),
        (Array("n", 0.5, 2.0), (0, 4), "shape (n,), float32 or float64, positive"),
        (Array("n", 0.0, 2.0), (0, 4), "shape (n,), float32 or float64, 0 or greater"),
        (Array("n", off=(0.0,)), (0, 4), "shape (n,), float32 or float64, no zeros"),
        (Array("n", off=(1.0, 2.0)), (0, 4), "shape (n,), float32 or float64, no entry equal to 1 or 2"),
        (
            Array("n", off=(-0.5, 0.5)),
            (0, 4),
            "shape (n,), float32 or float64, no entry halfway between two integers",
        ),
        (Array("n", distinct=True), (0, 4), "shape (n,), float32 or float64, no two equal entries"),
        (
            Array("n m", distinct=True),
            (0, 4),
            "shape (n, m), float32 or float64, no two equal entries along any axis",
        ),
        (Array("n", zero_lines=False), (0, 4), "shape (n,), float32 or float64, not all zeros"),
        (
            Array("... n", zero_lines=False),
            (0, 4),
            "shape (..., n), float32 or float64, no vector of n zeros",
        ),
    ],
)
def test_an_array(array, lead, said):
    assert written(Domain({"x": array}, lead=lead)) == [f"x: {said}; left unchanged."]


def test_an_array_that_forward_modifies():
    said = "x: any shape, float32 or float64; modified in place."
    assert written(Domain({"x": Array("...")}), modifies=("x",)) == [said]


def test_an_entry_that_is_not_another_argument():
    domain = Domain({"x": Array("n", off=("t",)), "t": Real(-1, 1)})
    assert "no entry equal to t;" in written(domain)[0]


def test_an_array_of_a_library_other_than_pytorch_is_float64():
    domain = Domain({"x": Array("...")})
    said = "x: a number or an array of any shape, float64; left unchanged."
    assert written(domain, library="autograder.engine") == [said]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Integer(0, "m"), "an int from 0 to m"),
        (Integer(1, 3), "an int from 1 to 3"),
        (Real(-2, 2, also=(1,)), "an int or a float"),
        (Real(0.1, 2), "a positive float"),
        (Real(0.1, 2, also=(3,)), "a positive int or float"),
        (Real(0.1, 2, also=(0.0,)), "a float, 0 or greater"),
        (Real(0.1, 0.7, also=(0,), below=1), "an int or a float, 0 ≤ a < 1"),
        (Axis("x"), "the number of an axis of x, counted from the end if negative"),
        (
            Axis("x", from_the_end=False, or_none=True),
            "the number of an axis of x, from 0 on, or None for all",
        ),
        (Choice((False, True, False)), "False or True"),
        (
            Choice((black_box("tanh"), black_box("cubic"))),
            "a function from a tensor to a tensor of the same shape",
        ),
        (Seed(), "a torch.Generator"),
        (
            Index("k", below="n"),
            "shape (k,), int64, each entry from 0 to n − 1; left unchanged",
        ),
        (
            Index("k", below="n", dtypes=("int64", "int8")),
            "shape (k,), int64 or int8, each entry from 0 to n − 1; left unchanged",
        ),
    ],
)
def test_an_argument_beside_an_array(kind, said):
    assert of_one(kind) == f"a: {said}."


def test_a_kind_without_words_is_refused():
    with pytest.raises(TypeError, match="no words for a"):
        of_one(np.array([1.0]))


def test_several_arrays_have_one_dtype():
    domain = Domain(
        {"x": Array("n in"), "weight": Array("out in"), "bias": Optional(Array("out"), left_out=True)}
    )
    assert written(domain) == [
        "x: shape (n, in).",
        "weight: shape (out, in).",
        "bias: shape (out,) or None, and may be left out.",
        "x, weight and bias: all float32 or all float64; left unchanged.",
    ]


def test_several_arrays_with_further_axes():
    assert written(Domain({"a": Array("... n m"), "b": Array("... m k")})) == [
        "a: shape (..., n, m).",
        "b: shape (..., m, k).",
        "a and b: the same leading axes (none or more), both float32 or both float64; left unchanged.",
    ]


def test_arrays_of_any_one_shape_are_named_together():
    domain = Domain({"u": Array("...", off=(0.0,)), "n": Integer(0, 3), "v": Array("...")}, lead=(1, 4))
    assert written(domain) == [
        "u and v: tensors of one shape with at least one axis, both float32 or both float64; left unchanged.",
        "n: an int from 0 to 3.",
        "u: no zeros.",
    ]


def test_an_axis_that_is_never_smaller_than_another():
    domain = Domain({"x": Array("h w"), "kernel": Array("a b")}, at_least={"h": "a", "w": "b"})
    assert written(domain)[1] == "kernel: shape (a, b), where a ≤ h and b ≤ w."
    assert written(Domain({"x": Array("n")}, at_least={"n": 3}))[0].startswith("x: shape (n,), where n ≥ 3, ")


def test_a_line_is_no_wider_than_code_in_a_notebook_and_breaks_in_no_shape():
    axes = [" ".join(f"axis_{place}_{other}" for other in range(4)) for place in range(6)]
    assert isinstance(COURSE, FunctionExercise)
    text = paragraph(replace(COURSE, domain=Domain({f"x{n}": Array(each) for n, each in enumerate(axes)})))
    assert max(map(len, text.splitlines())) <= 90
    assert all(line.count("(") == line.count(")") for line in text.splitlines())


def test_the_order_may_be_another_one():
    domain = Domain({"n": Integer(0, "rows"), "x": Array("rows")})
    assert isinstance(COURSE, FunctionExercise)
    text = paragraph(replace(COURSE, domain=domain), ("x", "n"))
    assert [line.split(":")[0].strip() for line in text.splitlines()] == ["x", "n"]
