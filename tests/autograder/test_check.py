"""`check` and `grade` as a notebook uses them."""

import io
import logging
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
import submissions
import torch
from torch.autograd import Function

from autograder import check, grade
from autograder.check import NotYetRight
from autograder.exercise import FunctionExercise
from autograder.exercises import EXERCISES, find
from vjpcheck.source_file import load


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None, None


class Noisy(Affine):
    @staticmethod
    def backward(ctx, grad_output):
        print("a print")
        print("a complaint", file=sys.stderr)
        warnings.warn("a warning", stacklevel=1)
        logging.getLogger("student").warning("a log line")
        return grad_output * ctx.scale, None, None


def test_right_work_passes_in_full():
    result = check("affine", Affine)
    assert result.passed
    assert result.score == result.max_score == 3
    assert result.findings == ()


def test_nothing_that_the_work_prints_or_warns_gets_out(capsys):
    handler = logging.StreamHandler()  # holds sys.stderr itself, as logging.basicConfig() in a cell does
    logging.getLogger("student").addHandler(handler)
    try:
        result = check("affine", Noisy)
    finally:
        logging.getLogger("student").removeHandler(handler)
    assert result.passed
    assert capsys.readouterr() == ("", "")
    for said in ("a print", "a complaint", "a warning", "a log line"):
        assert said in result.printed
    print("still there")
    assert capsys.readouterr().out == "still there\n"


def test_what_pytorch_warns_of_its_own_code_is_left_out_and_what_it_warns_of_the_works_is_not():
    class Warned(Affine):
        @staticmethod
        def backward(ctx, grad_output):
            for filename in (str(Path(torch.__file__).parent / "jit" / "_script.py"), __file__):
                for category in (FutureWarning, DeprecationWarning):
                    warnings.warn_explicit(f"{category.__name__} of {filename}", category, filename, 1)
            return grad_output * ctx.scale, None, None

    printed = check("affine", Warned).printed
    assert "_script.py" not in printed
    assert f"FutureWarning of {__file__}" in printed
    assert f"DeprecationWarning of {__file__}" in printed


def test_endless_printing_is_cut():
    class Chatty(Affine):
        @staticmethod
        def backward(ctx, grad_output):
            print("x" * 1_000_000)
            return grad_output * ctx.scale, None, None

    assert len(check("affine", Chatty).printed) <= 10_000


def test_grade_returns_the_points_and_shows_the_result(capsys):
    class HalfRight(Affine):
        @staticmethod
        def backward(ctx, grad_output):
            return 2 * grad_output * ctx.scale, None, None

    assert grade("affine", Affine) == 3.0
    score = grade("affine", HalfRight)
    assert 0 < score < 3
    assert "wrong-factor" in capsys.readouterr().out


def test_grade_says_in_a_line_what_check_has_just_shown(capsys):
    class Doubled(Affine):
        @staticmethod
        def backward(ctx, grad_output):
            return 2 * grad_output * ctx.scale, None, None

    check("affine", Doubled)
    assert grade("affine", Doubled) == 2
    assert capsys.readouterr().out == "affine: not yet right (gradient: wrong-factor), 2 of 3 points\n"
    assert grade("affine", Affine) == 3
    assert len(capsys.readouterr().out.splitlines()) == 5  # other work: its whole card


def test_where_nbgrader_validates_grade_raises_what_is_wrong(monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")

    class Doubled(Affine):
        @staticmethod
        def backward(ctx, grad_output):
            return 2 * grad_output * ctx.scale, None, None

    class Stub(Affine):
        @staticmethod
        def forward(ctx, x, scale, shift):
            raise NotImplementedError

    with pytest.raises(NotYetRight, match=r"2 of 3 points\n\[wrong-factor\] The gradient for x is 2 times"):
        grade("affine", Doubled)
    with pytest.raises(NotYetRight, match=r"^affine: not started, 0 of 3 points$"):
        grade("affine", Stub)
    assert grade("affine", Affine) == 3
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert grade("affine", Doubled) == 2


def test_an_endless_loop_is_stopped_and_the_next_check_is_as_ever(monkeypatch):
    class Endless(Affine):
        @staticmethod
        def backward(ctx, grad_output):
            while True:
                pass

    hurried = replace(find("affine"), seconds=0.3)
    monkeypatch.setattr(sys.modules["autograder.check"], "find", lambda _: hurried)
    result = check("affine", Endless)
    told = "Affine took longer than 0.3 seconds and was stopped: is there an endless loop?"
    assert result.findings[0].message.startswith(told)
    assert result.score == 0
    assert check("affine", Affine).passed


def test_what_is_not_reached_says_what_it_needs():
    class Raising(Affine):
        @staticmethod
        def backward(ctx, grad_output):
            raise ValueError

    told = str(check("affine", Raising))
    assert "contract           0 / 1   (not reached: backward must run first)" in told
    assert "second order       0 / 0.5   (not reached: the gradient must be right first)" in told


def test_the_html_escapes_what_comes_from_the_work():
    class Scripted(Affine):
        @staticmethod
        def backward(ctx, grad_output):
            print("<script>alert(1)</script>")
            raise ValueError("<b>bold</b>")

    page = check("affine", Scripted)._repr_html_()
    assert "<script>" not in page
    assert "<b>bold" not in page
    assert "&lt;b&gt;bold" in page


@pytest.mark.parametrize(
    "work",
    [None, 3, Affine.apply, Affine(), torch.nn.Linear, lambda x: x],
    ids=lambda value: type(value).__name__,
)
def test_work_of_the_wrong_kind_gets_a_sentence_and_no_points(work):
    result = check("affine", work)
    assert (result.passed, result.score, result.max_score) == (False, 0, 3)
    assert result.findings[0].message.endswith(".")


def test_an_unknown_id_names_the_nearest():
    with pytest.raises(ValueError, match="There is no exercise 'kil_head'; did you mean kill_head"):
        check("kil_head", Affine)


def test_no_exercise_is_passed_by_nothing():
    for exercise in EXERCISES:
        for work in ({}, lambda *_: {}, Function):
            assert check(exercise, work).score == 0


def test_the_result_is_the_same_every_time_but_for_its_seconds():
    first, second = (check("affine", Affine).to_json() for _ in range(2))
    first.pop("seconds")
    second.pop("seconds")
    assert first == second


WORKS = {
    exercise.id: next(s for s in submissions.right(exercise.id) if "torch" not in s.source)
    for exercise in EXERCISES.values()
    if exercise.lesson <= 3
}


def test_the_first_three_lessons_are_judged_without_torch():
    files = {exercise: str(work.file()) for exercise, work in WORKS.items()}
    code = f"""
import sys, autograder
from pathlib import Path
from autograder.exercises import find
from vjpcheck.source_file import load
for exercise, file in {files!r}.items():
    work = load(Path(file), find(exercise).object_name)
    assert autograder.check(exercise, work).passed, exercise
    autograder.check(exercise, None)
    assert "torch" not in sys.modules, exercise
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_capture_works_on_a_plain_stream(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), write_through=True)
    monkeypatch.setattr(sys, "stdout", stream)
    assert "a print" in check("affine", Noisy).printed
    assert stream.buffer.getvalue() == b""
    stream.write("after")
    assert stream.buffer.getvalue() == b"after"


def test_right_work_is_told_a_second_way_folded_and_wrong_work_is_not() -> None:
    right = submissions.right("silu_recompute")[0]
    wrong = submissions.named("silu_recompute/bad_central_differences")
    shown = [check(s.exercise, load(s.file(), "SiluRecompute"))._repr_html_() for s in (right, wrong)]
    assert "<details><summary>Another way</summary><p>A second way" in shown[0]
    assert "Another way" not in shown[1]


def test_a_constructor_that_raises_is_told_with_its_own_error():
    class Broken(torch.nn.Module):
        def __init__(self, in_features, out_features, bias=True):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.zeros(out_features, in_feature))  # noqa: F821

    messages = [finding.message for finding in check("scaled_linear", Broken).findings]
    assert any("raised NameError" in message and "'in_feature'" in message for message in messages)
    assert not any("UnboundLocalError" in message for message in messages)


KNOWN_FORWARDS = [
    (exercise.id, sentence, forward)
    for exercise in EXERCISES.values()
    if isinstance(exercise, FunctionExercise)
    for sentence, forward in exercise.other_forwards.items()
]


@pytest.mark.parametrize(("exercise", "sentence", "wrong"), KNOWN_FORWARDS)
def test_a_known_mistake_in_forward_is_said(exercise, sentence, wrong):
    class Work(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *arguments):
            return wrong(*arguments)

    result = check(exercise, Work)
    found = [finding for finding in result.findings if finding.check == "forward"]
    assert found[0].message.endswith(sentence)
    assert "not-precise" not in {finding.mistake for finding in found}
