"""What a reader is told of an answer: right ones are right in any form, wrong ones get a helpful sentence."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from course.engine import Tensor, sin
from course.now_you import check_answer

NUMBERS = st.floats(-1e6, 1e6)
ARRAYS = arrays(float, array_shapes(max_dims=3, max_side=4), elements=NUMBERS)


@given(NUMBERS)
def test_a_number_is_right_in_every_form(number):
    for form in (number, np.float64(number), Tensor(number), np.array(number)):
        assert check_answer(form, number).right
        assert check_answer({"w1": form}, {"w1": number}).right
        assert check_answer((form,), (Tensor(number),)).right


@given(ARRAYS)
def test_an_array_is_right_in_its_own_shape_only(array):
    assert check_answer(Tensor(array), array).right
    assert check_answer(array.tolist(), array).right
    verdict = check_answer(array[None], array)
    assert verdict.right is False
    assert f"must have shape {array.shape}" in verdict.sentence


@given(ARRAYS, st.data())
def test_one_wrong_entry_is_found_and_named(array, data):
    index = data.draw(st.sampled_from(list(np.ndindex(array.shape))))
    wrong = array.copy()
    wrong[index] += 1 + abs(wrong[index])
    verdict = check_answer(wrong, array)
    assert verdict.right is False
    assert f"[{', '.join(map(str, index))}]" in verdict.sentence


@given(st.floats(0.1, 1e3), st.floats(2e-3, 1.5e-2))
def test_what_is_known_of_a_wrong_number_is_said(number, off):
    assert "digits" in check_answer(number * (1 + off), number).sentence
    assert "opposite sign" in check_answer(-number, number).sentence
    assert "3 times" in check_answer(3 * number, number).sentence


@pytest.mark.parametrize("answer", [..., None, {"w1": ..., "w2": 1.0}, (1.0, ...)])
def test_an_answer_with_dots_in_it_is_not_started(answer):
    expected = {"w1": 1.0, "w2": 1.0} if isinstance(answer, dict) else 1.0
    assert check_answer(answer, expected).right is None


def test_a_function_is_tried_at_every_choice_of_arguments():
    places = [(0.5,), (2.0,), (-1.0,)]
    assert check_answer(lambda x: sin(Tensor(x)), math.sin, at=places).right
    only_at_two = check_answer(lambda x: math.sin(2.0), math.sin, at=places)
    assert only_at_two.right is False
    assert "(0.5)" in only_at_two.sentence


def test_a_known_mistake_gets_its_sentence_and_the_call_is_told_in_words():
    calls = {"x.grad after one pass": (1,), "the sum after two passes": (2,)}
    wrong = {
        "With = the first is lost.": lambda passes: 3.0,
        "It counts from 0.": lambda n: n - 1.0,
    }
    verdict = check_answer(lambda passes: 3.0, lambda passes: 3.0 * passes, at=calls, wrong=wrong)
    assert verdict.sentence == (
        "The sum after two passes is 3, which is half the right value. With = the first is lost."
    )
    other = check_answer(lambda passes: 5.0, lambda passes: 3.0 * passes, at=calls, wrong=wrong)
    assert other.sentence == "x.grad after one pass is 5, which is not right."
    assert check_answer(-2.0, 2.0, wrong={"Only sin has this sign.": -2.0}).sentence.endswith(
        "has this sign."
    )


@pytest.mark.parametrize("form", [np.array, list, Tensor])
def test_a_call_that_writes_into_its_arguments_changes_nothing_for_the_next(form):
    numbers = form([1.0, 2.0])

    def doubled(x):
        data = x.data if isinstance(x, Tensor) else x
        data[0] = 2 * data[0]
        data[1] = 2 * data[1]
        return x

    for _ in range(2):
        assert check_answer(doubled, lambda x: [2.0, 4.0], at=[(numbers,), (numbers,)]).right


def test_a_page_without_numpy_can_check_an_answer():
    code = """
import sys
sys.modules |= dict.fromkeys(("numpy", "course.engine"))
from course.now_you import check_answer
assert check_answer({"w": [1.0, 2.0]}, {"w": (1.0, 2.0)}).right
assert "2 times" in check_answer(lambda x: 2 * x, lambda x: x, at=[(3.0,)]).sentence
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_a_function_raises_is_said_and_not_raised():
    def unfinished(x):
        raise NotImplementedError

    assert check_answer(unfinished, math.sin, at=[(1.0,)]).right is None
    raised = check_answer(lambda x: x / 0, math.sin, at=[(1.0,)])
    assert raised.right is False
    assert "ZeroDivisionError" in raised.sentence


@pytest.mark.parametrize(
    ("answer", "expected", "sentence"),
    [
        ({"w1": 1.0}, {"w1": 1.0, "w2": 2.0}, "entry for w2 is missing"),
        ({"w1": 1.0, "w9": 1.0}, {"w1": 1.0}, "entry w9 is not expected"),
        ((1.0,), ("a", "b"), "2 entries"),
        ("three", 3.0, "it must be numbers"),
        (1.0, math.sin, "must be a function"),
        ("forward", "reverse", "not right"),
        (False, True, "not right"),
    ],
)
def test_another_kind_of_answer_is_told(answer, expected, sentence):
    verdict = check_answer(answer, expected, at=[(1.0,)])
    assert verdict.right is False
    assert sentence in verdict.sentence


def test_the_sentence_is_shown_as_text_and_no_markup_of_an_answer_is():
    verdict = check_answer("<b>x</b>", "y")
    assert verdict.sentence in repr(verdict)
    assert "<b>x" not in verdict._repr_html_()
