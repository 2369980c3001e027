"""Lines that never ran in a class: no points are taken, and the instructor and the student read of them."""

import json
import re

import nbformat
import pytest
from made_course import ASSIGNMENT, MadeCourse, cell, run

from autograder.grading.notebook_grade import FOR_INSTRUCTOR, METADATA

AFFINE = """\
def times(g, scale):
    if g.dim() > 7:
        return g < scale
    return g * scale


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        return times(grad_output, ctx.scale), None, None
"""
SENTENCE = "line 3 never ran, so nothing says that it is right: `return g < scale`"


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> MadeCourse:
    made = MadeCourse(tmp_path_factory.mktemp("course"))
    made.submit("branchy", made.right | {"affine": AFFINE})
    made.submit("plain", made.right)
    made.rows = {row["student"]: row for row in map(json.loads, made.grade("--json").stdout.splitlines())}
    return made


def test_it_takes_no_points_and_leaves_nothing_to_decide(course):
    assert {student: row["score"] for student, row in course.rows.items()} == {"branchy": 20, "plain": 20}
    assert not any(row["needs_person"] or row["notes"] for row in course.rows.values())
    said = {
        (student, graded["grade_id"]): graded["never_ran"]
        for student, row in course.rows.items()
        for graded in row["cells"]
        if graded["never_ran"]
    }
    assert said == {("branchy", "affine_test"): [SENTENCE]}


def test_the_formgrader_shows_it_to_the_instructor_beside_the_grade(course):
    path = course.folder / "autograded" / "branchy" / ASSIGNMENT / "04-exercises.ipynb"
    outputs = cell(nbformat.read(path, 4), "affine_test").outputs
    (remark,) = (o for o in outputs if o.metadata.get(METADATA) == FOR_INSTRUCTOR and "Not" in str(o.data))
    assert f"Not tried by any check: {SENTENCE}." in remark.data["text/plain"]


def test_the_report_lists_it_and_the_page_for_the_class_does_not(course):
    run(course.folder, "autograder", "report", ASSIGNMENT)
    folder = course.folder / "reports" / ASSIGNMENT
    page = (folder / "index.html").read_text()
    sections = dict(re.findall(r'<section aria-labelledby="(\w+)">(.*?)</section>', page, re.DOTALL))
    assert "Lines that never ran" in sections["decide"]
    assert SENTENCE.replace("<", "&lt;") in sections["decide"]
    run(course.folder, "autograder", "report", ASSIGNMENT, "--for-class")
    assert "never ran" not in (folder / "class.html").read_text()


def test_the_student_reads_it_on_the_card_as_a_remark(course):
    run(course.folder, "autograder", "feedback", ASSIGNMENT)
    pages = {path.parts[-3]: path.read_text() for path in course.folder.glob("feedback/*/*/*.html")}
    assert "Remark, which takes no points:" in pages["branchy"]
    assert "<code>return g &lt; scale</code>" in pages["branchy"]
    assert "never ran" not in pages["plain"]
    assert "Not tried by any check" not in pages["branchy"]
