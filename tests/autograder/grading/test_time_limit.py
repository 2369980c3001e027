"""`c.Grade.time_limit`: work that takes longer is stopped and told so; other work has what it earns."""

import csv
import json
import re

import pytest
from made_course import ASSIGNMENT, MadeCourse, run

SECONDS = 10  # many times what right work needs
ENDLESS = "while True:\n    pass\n"
TOLD = f"The notebook took longer than {SECONDS} seconds and was stopped: is there an endless loop?"


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> MadeCourse:
    made = MadeCourse(tmp_path_factory.mktemp("course"), f"\nc.Grade.time_limit = {SECONDS}\n")
    made.submit("endless", made.right | {"affine": ENDLESS})
    made.submit("honest", made.right)
    made.said = made.grade("--json")
    made.rows = {row["student"]: row for row in map(json.loads, made.said.stdout.splitlines())}
    return made


pytestmark = pytest.mark.long


def test_the_cell_that_takes_too_long_costs_its_own_points(course):
    assert {student: row["score"] for student, row in course.rows.items()} == {"endless": 17, "honest": 20}
    affine = next(cell for cell in course.rows["endless"]["cells"] if cell["name"] == "affine")
    assert [finding["message"] for finding in affine["findings"]] == [TOLD]


def test_the_summary_names_the_student_and_the_limit(course):
    assert course.rows["endless"]["notes"] == [f"affine: {TOLD}"]
    assert course.rows["honest"]["notes"] == []
    again = course.grade().stdout  # read from what is there
    for said in (course.said.stderr, again):
        assert f"Graded, with a remark:\n  endless: affine: {TOLD}\n" in said


def test_the_student_is_told(course):
    run(course.folder, "autograder", "feedback", ASSIGNMENT)
    pages = {path.parts[-3]: path.read_text() for path in course.folder.glob("feedback/*/*/*.html")}
    assert TOLD in pages["endless"]
    assert "was stopped" not in pages["honest"]


def test_the_report_has_it_under_a_name_and_as_a_remark(course):
    run(course.folder, "autograder", "report", ASSIGNMENT)
    folder = course.folder / "reports" / ASSIGNMENT
    page = (folder / "index.html").read_text()
    sections = dict(re.findall(r'<section aria-labelledby="(\w+)">(.*?)</section>', page, re.DOTALL))
    assert "stopped at a limit" in sections["mistakes"]
    assert f"affine: {TOLD}" in sections["decide"]
    with (folder / "students.csv").open(encoding="utf-8", newline="") as file:
        remarks = {row["student"]: row["remark"] for row in csv.DictReader(file)}
    assert remarks == {"endless": f"affine: {TOLD}", "honest": ""}
    run(course.folder, "autograder", "report", ASSIGNMENT, "--for-class")
    assert "endless" not in (folder / "class.html").read_text().replace("endless loop", "")
