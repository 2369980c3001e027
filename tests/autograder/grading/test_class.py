"""A class with work of every kind: `autograder grade` and nbgrader's own commands give the same."""

import copy
import json
import os
import shutil
import sqlite3

import by_autograd
import nbformat
import pytest
from isolation import ALLOW, LEVEL
from made_course import ASSIGNMENT, EXERCISES, cell, run
from tiers import first_now

from autograder.grading.notebook_grade import MIME

from .conftest import NOTEBOOK, ACourse

HELPER = "def doubled(x):\n    return 2 * x / 2\n"
WITH_HELPER = """
class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        return doubled(x) * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None, None
"""
PRINTS_A_SCRIPT = """
print("<script>alert(1)</script>")


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        print("<img src=x onerror=alert(2)>")
        raise ValueError("<script>alert(3)</script>")
"""


def _added(course: ACourse) -> nbformat.NotebookNode:
    notebook = course.notebook(course.right("kill_head") | {"affine": WITH_HELPER})
    notebook.cells.insert(2, nbformat.v4.new_code_cell(HELPER))
    return notebook


def _twice(course: ACourse) -> nbformat.NotebookNode:
    notebook = course.notebook(course.right("affine"))
    second = copy.deepcopy(cell(notebook, "affine"))
    second.source = "class Affine:\n    pass\n"
    second.id = "second"
    notebook.cells.append(second)
    return notebook


def _many(course: ACourse) -> nbformat.NotebookNode:
    notebook = course.notebook(course.right("affine"))
    notebook.cells += [
        nbformat.v4.new_code_cell(f"x = {number}", id=f"more{number}") for number in range(20_000)
    ]
    return notebook


def _own_tests(course: ACourse) -> nbformat.NotebookNode:
    notebook = course.notebook({})
    test = cell(notebook, "linear_test")
    test.source = "5"
    test.metadata.tags = ["skip-execution"]
    test.metadata.nbgrader.points = 500
    return notebook


def _without(course: ACourse) -> nbformat.NotebookNode:
    notebook = course.notebook(course.right())
    notebook.cells = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") != "linear"]
    return notebook


# (score, what is said about it)
EXPECTED = {
    "right": (20, ""),
    "untouched": (0, ""),
    "half": (7, ""),
    "helper": (7, ""),
    "twice": (3, ""),
    "own_tests": (0, ""),
    "without": (15, ""),
    "many": (3, ""),
    "script": (0, ""),
    "exits": (17, ""),
    "crashes": (17, ""),
    "no_json": (0, "not JSON"),
    "no_cells": (0, "no list of cells"),
    "deep": (0, "not JSON"),
    "nothing": (0, "The file is empty."),
    "cut": (0, "not JSON"),
    "blank": (0, "nothing is written in it"),
    "foreign": (0, ""),
    "link": (0, "symbolic link"),
    "renamed": (0, "only my_homework.ipynb, notes.ipynb: was it renamed?"),
    "surrogate": (3, ""),
}


def _hand_in(course: ACourse) -> None:
    right = course.right()
    course.submit("right", right)
    course.submit("untouched", {})
    course.submit("half", course.right("kill_head", "affine"))
    course.submit("helper", _added(course))
    course.submit("twice", _twice(course))
    course.submit("own_tests", _own_tests(course))
    course.submit("without", _without(course))
    course.submit("many", _many(course))
    course.submit("script", {"affine": PRINTS_A_SCRIPT})
    course.submit("exits", right | {"affine": "import os\nos._exit(0)"})
    course.submit("crashes", right | {"affine": "import ctypes\nctypes.string_at(0)"})
    path = course.submit("surrogate", course.right("affine"))
    path.write_text(path.read_text().replace("class Affine", r"print('\\ud800')\nclass Affine", 1))
    for student, text in {
        "no_json": "{",
        "no_cells": "[1, 2]",
        "deep": "[" * 100_000,
        "nothing": "\n",
        "cut": nbformat.writes(course.notebook(right))[:5000],
        "blank": nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("")])),
        "foreign": nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("Hi")])),
    }.items():
        (course.folder(student) / f"{NOTEBOOK}.ipynb").write_text(text)
    other = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x = 1")])
    for name in ("my_homework.ipynb", "notes.ipynb"):
        (course.folder("renamed") / name).write_text(json.dumps(other))
    (course.folder("link") / f"{NOTEBOOK}.ipynb").symlink_to(
        course.path / "solutions" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    )
    secret = course.path / "secret.txt"
    secret.write_text("the instructor's own")
    (course.folder("right") / "notes.txt").symlink_to(secret)


def grades(course: ACourse) -> dict[str, dict[str, tuple]]:
    """Return what the gradebook says of each student: score, needs_manual_grade and comment of each cell."""
    query = """
        select student_id, base_cell.name, auto_score, needs_manual_grade, null from grade
            join base_cell on base_cell.id = grade.cell_id
            join submitted_notebook on submitted_notebook.id = grade.notebook_id
            join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
        union select student_id, base_cell.name, null, null, auto_comment from comment
            join base_cell on base_cell.id = comment.cell_id
            join submitted_notebook on submitted_notebook.id = comment.notebook_id
            join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
    """
    found: dict[str, dict[str, tuple]] = {}
    with sqlite3.connect(course.path / "gradebook.db") as book:
        for student, name, *facts in book.execute(query):
            found.setdefault(student, {})[name] = tuple(facts)
    return found


def score(course: ACourse, student: str) -> float:
    return sum(facts[0] or 0 for facts in grades(course)[student].values())


def findings(course: ACourse, student: str) -> dict[str, list]:
    found = {}
    for graded in course.autograded(student).cells:
        if graded.metadata.get("nbgrader", {}).get("grade"):
            result = graded.outputs[0].data[MIME]
            found[result["name"]] = [finding["message"] for finding in result["findings"]]
    return found


@pytest.fixture(scope="module")
def graded(course) -> ACourse:
    _hand_in(course)
    os.mkfifo(course.folder("pipe") / f"{NOTEBOOK}.ipynb")
    course.folder("empty")
    with open(course.folder("huge") / f"{NOTEBOOK}.ipynb", "wb") as file:
        file.truncate(1 << 30)
    run(course.path, "nbgrader", "db", "student", "add", "absent")
    course.rows = {
        row["student"]: row
        for row in map(
            json.loads,
            run(course.path, "autograder", "grade", ASSIGNMENT, "--json", "--jobs", "2").stdout.splitlines(),
        )
    }
    run(course.path, "nbgrader", "generate_feedback", ASSIGNMENT)
    return course


@pytest.fixture(scope="module")
def by_nbgrader(graded, released_course, tmp_path_factory) -> ACourse:
    path = tmp_path_factory.mktemp("other") / "course"
    shutil.copytree(released_course, path)
    course = ACourse(path)
    _hand_in(course)
    run(path, "nbgrader", "autograde", ASSIGNMENT)
    run(path, "nbgrader", "generate_feedback", ASSIGNMENT)
    return course


@pytest.mark.parametrize("student", EXPECTED)
def test_the_score_and_the_reason(graded, student):
    points, reason = EXPECTED[student]
    assert score(graded, student) == points
    assert graded.rows[student]["score"] == points
    assert reason in graded.rows[student]["reason"]
    assert bool(reason) == bool(graded.rows[student]["reason"])


@pytest.mark.long
@pytest.mark.parametrize("student", EXPECTED)
def test_nbgrader_gives_the_same(graded, by_nbgrader, student):
    assert grades(graded)[student] == grades(by_nbgrader)[student]
    assert findings(graded, student) == findings(by_nbgrader, student)


@pytest.mark.parametrize(
    ("student", "reason"),
    [
        ("renamed", "only my_homework.ipynb, notes.ipynb: was it renamed?"),
        ("empty", "There is no notebook"),
        ("pipe", "is not a file"),
        ("huge", "larger than 64 MB"),
    ],
)
def test_what_is_no_notebook_has_no_points_and_a_reason(graded, student, reason):
    assert graded.rows[student]["score"] == 0
    assert reason in graded.rows[student]["reason"]
    assert all(reason in c for *_, c in grades(graded)[student].values() if c)


def test_what_cannot_be_read_has_no_grade_until_a_person_decides(graded):
    """The formgrader asks, a platform's table stays blank, and `decide` settles it."""
    unread = {student for student, (_, reason) in EXPECTED.items() if reason}
    asked = {student for student, row in graded.rows.items() if len(row["needs_person"]) == len(EXERCISES)}
    assert asked == {*unread, "foreign", "empty", "pipe", "huge"}
    for student in asked:
        assert all(needs for _, needs, comment in grades(graded)[student].values() if comment is None)
    header = "Student,ID,SIS User ID,SIS Login ID,Section,Exercises (4)"
    everybody = [*EXPECTED, "empty", "pipe", "huge"]
    people = {student: 100 + number for number, student in enumerate(everybody)}
    (graded.path / "roster.csv").write_text(
        "platform,number,student,name,email,submitted\n"
        + "".join(f"canvas,{number},{student},{student},,\n" for student, number in people.items())
    )
    rows = "".join(f"{student},{number},,,1,\n" for student, number in people.items())
    (graded.path / "canvas.csv").write_text(f"{header}\n{rows}")
    export = ("--canvas", "canvas.csv", ASSIGNMENT, "--column", "4")
    said = run(graded.path, "autograder", "export", *export, expect=1).stdout
    filled = (graded.path / f"{ASSIGNMENT}-canvas.csv").read_text().splitlines()[1:]
    posted = {line.split(",")[0]: line.split(",")[-1] for line in filled}
    assert {student for student, points in posted.items() if not points} == asked
    listed = said.partition("You still have to decide on, so without a grade and feedback:")[2]
    assert all(f"  {student}\n" in listed for student in sorted(asked)[:20])


def test_everybody_on_the_roster_has_a_row(graded):
    assert graded.rows.keys() == {*EXPECTED, "empty", "pipe", "huge", "absent"}
    assert graded.rows["absent"]["score"] is None
    assert graded.rows["absent"]["reason"] == "Nothing was handed in."


def test_what_ends_the_process_costs_only_itself(graded):
    assert "ended its own process" in findings(graded, "exits")["affine"][0]
    assert "crashed (SIGSEGV)" in findings(graded, "crashes")["affine"][0]
    assert findings(graded, "exits")["linear"] == []


def test_isolation_and_seed_are_recorded_with_each_grade(graded):
    for graded_cell in graded.autograded("half").cells:
        if graded_cell.metadata.get("nbgrader", {}).get("grade"):
            assert graded_cell.outputs[0].data[MIME]["isolation"] == LEVEL
            assert graded_cell.outputs[0].data[MIME]["seed"] > 0
    comments = grades(graded)["half"]
    assert comments["kill_head"][2] == ""
    assert comments["linear"][2] == "No response."
    assert "lacks this cell" in grades(graded)["without"]["linear"][2]


def _seeds(course, students):
    cells = [cell for student in students for cell in course.autograded(student).cells]
    graded_cells = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")]
    return [cell.outputs[0].data[MIME]["seed"] for cell in graded_cells]


@pytest.mark.long
def test_a_run_tries_a_class_with_the_same_numbers_and_nbgrader_each_submission_with_its_own(
    graded, by_nbgrader
):
    """nbgrader's server grades for weeks: what feedback tells must not help who is graded after it."""
    students = ("right", "half", "helper", "twice")
    drawn = [{*_seeds(by_nbgrader, [student])} for student in students]
    assert [len(seeds) for seeds in drawn] == [1] * len(students)
    assert len(set.union(*drawn)) == len(students)
    of_the_run = {*_seeds(graded, students)}
    assert len(of_the_run) == 1
    assert not of_the_run & set.union(*drawn)


def test_of_very_many_added_cells_the_rest_is_left_out_and_told(graded):
    comments = {name: facts[2] for name, facts in grades(graded)["many"].items() if facts[2]}
    told = [
        name for name, comment in comments.items() if "19800 of 20000 added cells were left out" in comment
    ]
    assert told == ["kill_head"]  # once, not in each cell
    assert len(graded.autograded("many").cells) < 300


@pytest.mark.parametrize("command", first_now(["graded", "by_nbgrader"]))
def test_feedback_explains_and_runs_nothing(request, command):
    course = request.getfixturevalue(command)
    page = (course.path / "feedback" / "script" / ASSIGNMENT / f"{NOTEBOOK}.html").read_text()
    assert "&lt;script&gt;alert(3)" in page
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "forward raised ValueError" in page


@pytest.mark.parametrize("command", first_now(["graded", "by_nbgrader"]))
def test_a_link_carries_nothing_into_autograded_or_feedback(request, command):
    course = request.getfixturevalue(command)
    for step in ("autograded", "feedback"):
        names = {path.name for path in (course.path / step / "right" / ASSIGNMENT).iterdir()}
        assert names == {f"{NOTEBOOK}.{'html' if step == 'feedback' else 'ipynb'}"}


def test_what_is_done_is_not_done_again(graded):
    path = graded.path / "autograded" / "right" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    before = path.stat().st_mtime_ns
    graded.submit("half", graded.right())
    rows = [json.loads(r) for r in _grade(graded, "--json", "--student", "half", "--student", "right")]
    assert {row["student"]: row["again"] for row in rows} == {"half": False, "right": True}
    assert path.stat().st_mtime_ns == before
    assert score(graded, "half") == 20


def _grade(course: ACourse, *arguments: str) -> list[str]:
    return run(course.path, "autograder", "grade", ASSIGNMENT, "--jobs", "1", *arguments).stdout.splitlines()


def test_a_folder_of_notebooks_named_by_student(new_course, tmp_path):
    nbformat.write(new_course.notebook(new_course.right("affine")), tmp_path / "ana.ipynb")
    (tmp_path / "ben.ipynb").write_text("nothing")
    said = _grade(new_course, "--from", str(tmp_path))
    assert said[0].startswith(f"{ASSIGNMENT}: 2 of 2 students graded in")
    assert any("ben: The notebook cannot be read" in line for line in said)
    assert score(new_course, "ana") == 3


def test_an_unknown_student_or_assignment_is_told(new_course):
    from autograder.cli import main

    before = os.getcwd()
    os.chdir(new_course.path)
    try:
        assert main(["grade", ASSIGNMENT, "--student", "nobody", *ALLOW]) == 2
        assert main(["grade", "05-nothing", *ALLOW]) == 2
    finally:
        os.chdir(before)


def test_native_autograd_in_backward_is_left_for_a_person(new_course, monkeypatch):
    """The flag reaches the gradebook as a grade to be decided, whatever check it is that raises it."""
    from autograder.grading import notebook_run
    from vjpcheck.result import Finding, Outcome, Result

    def flagged(exercise, probe, seed):
        outcomes = [Outcome(check) for check in exercise.points if check != "gradient"]
        outcomes.append(
            Outcome("gradient", (Finding("gradient", "It calls autograd.", "autograd-in-backward"),))
        )
        return Result(exercise.id, exercise.points, tuple(outcomes), 0.0)

    monkeypatch.setattr(notebook_run, "judge", flagged)
    course = new_course
    course.submit("zoe", {"affine": by_autograd.AFFINE})
    graded = _grade_here(course, "zoe")
    assert graded.needs_person
    found = grades(course)["zoe"]
    assert found["affine_test"][:2] == (2.5, 1)
    assert found["affine"][2] == ""
    assert "please decide" in graded.cells[EXERCISES.index("affine")].remark


def _grade_here(course: ACourse, student: str):
    from autograder.exercises import find
    from autograder.grading.course import Course
    from autograder.grading.grade import grade_one
    from autograder.grading.sandbox.sandbox import Sandbox

    before = os.getcwd()
    os.chdir(course.path)
    try:
        here = Course.here()
        book, notebooks = here.open(ASSIGNMENT)
        with book:
            assignment = notebooks[NOTEBOOK]
            place = here.submissions(ASSIGNMENT, None)[0][student]
            with Sandbox([find(id_) for id_ in EXERCISES], LEVEL) as sandbox:
                given = {NOTEBOOK: here.read_submission(place, None, notebooks, NOTEBOOK)}
                graded = grade_one(assignment, given[NOTEBOOK], sandbox)
            book.record(student, {NOTEBOOK: graded}, None)
    finally:
        os.chdir(before)
    return graded
