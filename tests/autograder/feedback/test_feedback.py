"""Pages of feedback: what a student reads, what no student reads, and what is not written again."""

import re
import sqlite3
from pathlib import Path

import by_autograd
import pytest
from browser import needs_browser, open_browser
from made_course import ASSIGNMENT, MadeCourse, run

from autograder.feedback.marks import Marks
from autograder.feedback.page import page
from autograder.grading.notebook_grade import FOR_INSTRUCTOR, METADATA

THREAD = """
import threading

threading.Thread(target=print).start()


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale + 0 * threading.active_count()
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None, None
"""
SCRIPT = (
    "print('<script>alert(1)</script>')\n\n\nclass Affine(Function):\n    '''<img src=x onerror=alert(2)>'''"
)
# what the autograder says to instructors and to nobody else
NOT_FOR_STUDENTS = r"please decide|withheld|decide on the points|Isolation|For the instructor|allow-weak|seed"


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> MadeCourse:
    """One student of each kind, graded; every submission is told to the instructor as weakly isolated."""
    made = MadeCourse(tmp_path_factory.mktemp("course"))
    made.submit("right", made.right)
    made.submit("native", made.right | {"affine": by_autograd.AFFINE})
    made.submit("thread", made.right | {"affine": THREAD})
    made.submit("script", {"affine": SCRIPT})
    made.submit("unreadable", "[")
    made.grade()
    return made


def written(course: MadeCourse, student: str) -> Path:
    return course.folder / "feedback" / student / ASSIGNMENT / "04-exercises.html"


def feedback(course: MadeCourse, *options: str) -> str:
    return run(course.folder, "autograder", "feedback", ASSIGNMENT, *options).stdout


@pytest.fixture(scope="module")
def pages(course) -> dict[str, str]:
    feedback(course, "--jobs", "2")
    return {path.parts[-3]: path.read_text() for path in (course.folder / "feedback").rglob("*.html")}


def test_everybody_has_points_and_an_explanation(pages):
    assert pages.keys() == {"right", "native", "thread", "script", "unreadable"}
    assert "20 of 20 points" in pages["right"]
    assert "0 of 20 points" in pages["unreadable"]
    assert "not JSON" in pages["unreadable"]
    assert "No response." in pages["script"]
    assert "autograd-in-backward" in pages["native"]


def test_no_student_reads_what_is_for_the_instructor(course, pages):
    autograded = (course.folder / "autograded" / "native" / ASSIGNMENT / "04-exercises.ipynb").read_text()
    assert "please decide" in autograded  # the formgrader shows it there
    for student, text in pages.items():
        told = re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
        assert not re.findall(NOT_FOR_STUDENTS, told), student


def test_nbgraders_own_command_writes_the_same_page(course, pages):
    with_key = written(course, "native").read_text()
    run(course.folder, "nbgrader", "generate_feedback", ASSIGNMENT, "--student=native", "--force")
    theirs = written(course, "native").read_text()
    assert re.sub(r'(generated-from" content=")\w*', r"\1", with_key) == theirs
    feedback(course)
    assert written(course, "native").read_text() == with_key


def test_text_from_students_is_escaped(pages):
    assert "&lt;script&gt;alert(1)" in pages["script"]
    assert "<script" not in pages["script"]
    assert "<img" not in pages["script"]


def test_only_what_has_changed_is_written_again(course, pages):
    before = {student: written(course, student).stat().st_mtime_ns for student in pages}
    assert "0 pages of feedback written, 5 unchanged." in feedback(course)
    assert {student: written(course, student).stat().st_mtime_ns for student in pages} == before
    with sqlite3.connect(course.folder / "gradebook.db") as book:
        book.execute("update comment set manual_comment = '**Well done**, $x^2$.' where auto_comment = ''")
        book.execute("update submitted_notebook set late_submission_penalty = 1.5")
    assert "5 pages of feedback written." in feedback(course)
    text = written(course, "right").read_text()
    assert "18.5 of 20 points" in text
    assert "1.5 points were taken off because the work was late." in text
    assert "<strong>Well done</strong>" in text


def test_a_page_that_cannot_be_made_costs_no_other(course, pages):
    path = course.folder / "autograded" / "script" / ASSIGNMENT / "04-exercises.ipynb"
    whole = path.read_bytes()
    path.chmod(0o644)
    path.write_bytes(b"{")
    done = run(course.folder, "autograder", "feedback", ASSIGNMENT, expect=1)
    assert "script: " in done.stderr
    assert "grade this student again" in done.stderr
    assert "Traceback" not in done.stderr
    path.write_bytes(whole)


def test_before_grading_there_is_one_sentence(course):
    done = run(course.folder, "autograder", "feedback", "05-nothing", expect=2)
    assert "there are no grades of 05-nothing yet" in done.stderr


@needs_browser
@pytest.mark.parametrize(("width", "scheme"), [(400, "light"), (1000, "dark")])
def test_a_page_needs_no_network_and_fits(pages, course, width, scheme):
    with open_browser() as browser:
        context = browser.new_context(
            offline=True, color_scheme=scheme, viewport={"width": width, "height": 800}
        )
        tab = context.new_page()
        asked, said = [], []
        tab.on("request", lambda request: asked.append(request.url))
        tab.on("console", lambda message: said.append(message.text))
        for student in pages:
            address = written(course, student).as_uri()
            tab.goto(address)
            assert tab.evaluate("document.documentElement.scrollWidth") == width
            assert asked.pop() == address
            assert not asked
        assert said == []


def test_an_output_for_the_instructor_is_left_out_of_any_notebook():
    for_instructor = {
        "output_type": "display_data",
        "data": {"text/html": "secret"},
        "metadata": {METADATA: FOR_INSTRUCTOR},
    }
    verdict = {"output_type": "display_data", "data": {"text/html": "open"}, "metadata": {}}
    test = {
        "cell_type": "code",
        "source": "",
        "metadata": {"nbgrader": {"grade": True, "grade_id": "a_test", "points": 3}},
        "outputs": [for_instructor, verdict],
    }
    text = page({"cells": [test]}, Marks({"a_test": (2.0, 3.0)}), "a")
    assert "open" in text
    assert "secret" not in text
