"""Grades in the course of a term: late work, new due dates, decisions by hand, changed cells."""

import json
import re
import sqlite3

import nbformat
import pytest
from made_course import ASSIGNMENT, cell, run

from autograder.grading.notebook_grade import METADATA

from .conftest import NOTEBOOK, ACourse
from .term import A_POINT_AN_HOUR, decide, due, grade, gradebook, take_a_point_an_hour, waits


@pytest.fixture
def late_course(new_course) -> ACourse:
    """A point is taken off an hour; 20 points are late by two hours, 3 points by a day."""
    take_a_point_an_hour(new_course)
    due(new_course, "2026-01-10 12:00:00 UTC")
    for student, when, right in (
        ("day", "11 12", ["affine"]),
        ("hours", "10 14", []),
        ("early", "09 12", []),
    ):
        new_course.submit(student, new_course.right(*right))
        (new_course.folder(student) / "timestamp.txt").write_text(f"2026-01-{when}:00:00 UTC")
    return new_course


def edit(course: ACourse, change) -> None:
    path = course.path / "solutions" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    notebook = nbformat.read(path, 4)
    change(notebook)
    nbformat.write(notebook, path)


@pytest.mark.long
def test_a_penalty_comes_and_goes_with_the_due_date(late_course):
    course = late_course
    rows, _ = grade(course)
    assert {s: (r["score"], r["late_penalty"]) for s, r in rows.items()} == {
        "day": (0, 3),  # never more than there is
        "hours": (18, 2),
        "early": (20, 0),
    }
    again, said = grade(course)
    assert {s: {**r, "again": True} for s, r in rows.items()} == again
    assert "hours: 2 points taken off" in said

    with gradebook(course) as book:  # an extension for one, then another date for all
        book.grant_extension(ASSIGNMENT, "day", days=2)
    rows, _ = grade(course)
    assert {s: r["late_penalty"] for s, r in rows.items()} == {"day": 0, "hours": 2, "early": 0}
    due(course, "2026-01-12 12:00:00 UTC")
    rows, _ = grade(course)
    assert {s: (r["score"], r["again"]) for s, r in rows.items()} == {
        "day": (3, True),
        "hours": (20, True),
        "early": (20, True),
    }


@pytest.mark.long
def test_a_time_that_is_corrected_by_hand_counts_in_the_next_run(late_course):
    grade(late_course)
    (late_course.folder("hours") / "timestamp.txt").write_text("2026-01-10 15:00:00 UTC")
    rows, _ = grade(late_course)
    assert (rows["hours"]["late_penalty"], rows["hours"]["again"]) == (3, True)


@pytest.mark.long
@pytest.mark.parametrize(
    ("plugin", "told"),
    [
        ("raise_here()", "SubMarks raised NameError: name 'raise_here' is not defined (late.py, line 7)"),
        ("return float('nan')", "SubMarks returned nan"),
    ],
)
def test_a_plugin_that_fails_costs_nobody_a_grade(late_course, plugin, told):
    text = re.sub(r"return round.*", plugin, A_POINT_AN_HOUR)
    (late_course.path / "late.py").write_text(text)
    rows, said = grade(late_course, expect=1)
    assert told in rows["hours"]["fault"]
    assert rows["early"]["score"] == 20
    assert "Traceback" not in said
    (late_course.path / "late.py").write_text(A_POINT_AN_HOUR)
    rows, _ = grade(late_course)
    assert (rows["hours"]["score"], rows["hours"]["again"]) == (18, True)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("late.py", "class Other: pass", "The plugin for late penalties late.SubMarks cannot be used"),
        ("nbgrader_config.py", "c = get_config()\n1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_told_in_a_sentence(late_course, name, content, told):
    (late_course.path / name).write_text(content)
    _, said = grade(late_course, expect=2)
    assert told in said
    assert "Traceback" not in said


@pytest.mark.long
def test_what_was_decided_by_hand_stays_decided(new_course):
    course = new_course
    course.submit("ana", course.right("affine"))
    course.submit("ben", course.right("affine"))
    grade(course)
    decide(course, "ana", "affine_test", 1.5)

    def mend_a_hint(notebook):
        text = next(c for c in notebook.cells if c.cell_type == "markdown" and "<details>" in c.source)
        text.source = text.source.replace("<details>", "<details> <!-- a typo less -->", 1)
        cell(notebook, "affine").source += "\n# the solution says it in other words"

    edit(course, mend_a_hint)
    rows, _ = grade(course)
    assert {s: (r["score"], r["again"]) for s, r in rows.items()} == {"ana": (1.5, True), "ben": (3, True)}

    rows, _ = grade(course, "--regrade")
    assert {s: (r["score"], r["again"]) for s, r in rows.items()} == {"ana": (1.5, False), "ben": (3, False)}
    assert not waits(course, "ana", "affine_test")

    course.submit("ana", course.right())  # other work: the points stay, and a person is asked
    rows, _ = grade(course)
    assert (rows["ana"]["score"], rows["ana"]["needs_person"]) == (18.5, ["affine"])
    assert waits(course, "ana", "affine_test")


def test_the_key_of_a_grade_is_that_of_what_judges_it(tmp_path):
    from autograder.exercises import EXERCISES
    from autograder.grading.fingerprint import of_code, of_exercises

    assert of_code("def f(x):\n    '''Doc.'''\n    return g(x, 'no such name')  # why\n") == of_code(
        "def f( x ):\n    return g(x, 'there is nothing')\n"
    )
    assert of_code("x = 1 < 2") != of_code("x = 1 <= 2")
    assert of_code("x = f'{a} b'") == of_code("x = f'{a} c'")
    assert of_code("einsum('ij, jk -> ik', a, b)") != of_code("einsum('ij, kj -> ik', a, b)")
    one, other = (of_exercises([EXERCISES[name]]) for name in ("kill_head", "softmax"))
    assert one != other
    assert one == of_exercises([EXERCISES["affine"]])  # of the same lesson


@pytest.mark.long
def test_new_points_are_told_and_graded(new_course):
    """An exercise's points are data of the autograder; the gradebook may have others, of last week."""
    course = new_course
    course.submit("ana", course.right("affine"))
    grade(course)
    decide(course, "ana", "affine_test", 4)
    with sqlite3.connect(course.path / "gradebook.db") as book:
        book.execute(
            "update grade_cells set max_score = 6 "
            "where id in (select id from base_cell where name = 'affine_test')"
        )
    path = course.path / "autograded" / "ana" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    notebook = json.loads(path.read_text())
    notebook["metadata"][METADATA]["points"]["affine_test"] = 6
    notebook["metadata"][METADATA]["key"] = "of last week"
    path.chmod(0o644)
    path.write_text(json.dumps(notebook))
    rows, said = grade(course)
    assert "affine_test is worth 3 points now, 6 before: all submissions are graded again." in said
    assert "ana has 4 points by hand for affine_test, which is worth 3: correct it in the formgrader." in said
    assert rows["ana"]["needs_person"] == ["affine"]


@pytest.mark.long
@pytest.mark.parametrize("what", ["removed", "added"])
def test_an_exercise_that_comes_or_goes_is_told_with_what_to_do(new_course, what):
    course = new_course
    course.submit("ana", course.right("affine"))
    if what == "added":
        path = course.path / "solutions" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
        whole = path.read_bytes()
        edit(course, remove_linear)
    grade(course)
    decide(course, "ana", "affine_test", 2)
    if what == "added":
        path.write_bytes(whole)
    else:
        edit(course, remove_linear)
    _, said = grade(course, expect=2)
    assert f"linear, linear_test {what}" in said
    assert f"nbgrader db assignment remove {ASSIGNMENT} --force" in said
    assert "ana affine_test 2." in said
    run(course.path, "nbgrader", "db", "assignment", "remove", ASSIGNMENT, "--force")
    rows, _ = grade(course)
    assert rows["ana"]["score"] == 3


def remove_linear(notebook):
    gone = {"linear", "linear_test"}
    notebook.cells = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") not in gone]


@pytest.mark.long
def test_a_grade_outlives_its_submission(new_course):
    path = new_course.submit("ana", new_course.right("affine"))
    grade(new_course)
    path.unlink()
    path.parent.rmdir()
    rows, _ = grade(new_course)
    assert (rows["ana"]["score"], rows["ana"]["again"]) == (3, True)
    assert "no longer there" in rows["ana"]["notes"][0]
