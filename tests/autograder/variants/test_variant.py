"""`autograder variant` in a course: what it writes, and how work on it is graded."""

from __future__ import annotations

import json
import re

import nbformat
import pytest
from made_course import ASSIGNMENT, EXERCISES, NOTEBOOK, MadeCourse, cell, run
from own_variants import solve
from shipped import ROOT, ship

NAME = f"{ASSIGNMENT}-2027"
STUDENTS = ("own", "friend", "last_year", "pasted", "other_year")


def read(path):
    return nbformat.read(path, as_version=4)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course in which a variant was made for each of four students."""
    made = MadeCourse(tmp_path_factory.mktemp("course"))
    (made.folder / "roster.csv").write_text("\n".join(["student", *STUDENTS]))
    made.said = run(
        made.folder, "autograder", "variant", ASSIGNMENT, "--seed", "2027", "--per-student", "roster.csv"
    ).stdout
    return made


def own(course, student):
    return course.folder / "variants" / NAME / student / NOTEBOOK


def test_it_says_what_it_wrote(course):
    assert f"solutions/{NAME}/{NOTEBOOK}" in course.said
    assert f"exercises/{NAME}/{NOTEBOOK}" in course.said
    assert "a folder for each of 5 students" in course.said


def test_students_get_no_solutions_and_each_other_exercises(course):
    source = read(course.folder / "solutions" / NAME / NOTEBOOK)
    names = set()
    for student in STUDENTS:
        notebook = read(own(course, student))
        text = own(course, student).read_text()
        assert not re.search(r"<<|>>|BEGIN SOLUTION|SOLUTION", text)
        assert f"for {student}." in notebook.cells[0].source
        names.add(cell(notebook, "linear_test").source)
        for exercise in EXERCISES:
            assert "raise NotImplementedError" in cell(notebook, exercise).source
            marked = cell(notebook, f"{exercise}_test").metadata.nbgrader
            assert marked == cell(source, f"{exercise}_test").metadata.nbgrader | {
                "checksum": marked["checksum"],
                "cell_type": "code",
            }
    assert len(names) > 1


def test_everybodys_notebook_is_released_as_each_students_is(course):
    """nbgrader itself releases the one, our steps the others."""
    by_nbgrader = read(course.folder / "exercises" / NAME / NOTEBOOK)
    ours = read(own(course, "own"))
    assert [c.id for c in by_nbgrader.cells] == [c.id for c in ours.cells]
    for one, other in zip(by_nbgrader.cells, ours.cells, strict=True):
        one.metadata.get("nbgrader", {}).pop("checksum", None)
        other.metadata.get("nbgrader", {}).pop("checksum", None)
        assert one.metadata == other.metadata


def test_the_same_seed_writes_the_same_and_adds_who_is_new(course):
    before = {student: own(course, student).read_bytes() for student in STUDENTS}
    (course.folder / "more.csv").write_text("id\nown\nnew")
    run(course.folder, "autograder", "variant", ASSIGNMENT, "--seed", "2027", "--per-student", "more.csv")
    assert {student: own(course, student).read_bytes() for student in STUDENTS} == before
    assert own(course, "new").exists()


@pytest.fixture(scope="module")
def rows(course):
    """What became of right work on one's own variant, and of three ways to hand in other work."""
    solved = read(own(course, "own"))
    solve(solved, EXERCISES)
    last_year = read(course.folder / "solutions" / ASSIGNMENT / NOTEBOOK)
    pasted = read(own(course, "pasted"))
    for exercise in EXERCISES:
        cell(pasted, exercise).source = cell(last_year, exercise).source
    handed_in = {"own": solved, "friend": solved, "last_year": last_year, "pasted": pasted}
    handed_in["stranger"] = last_year
    # a variant of another year, of which only the graded cells remain to tell
    run(course.folder, "autograder", "variant", ASSIGNMENT, "--seed", "2026")
    handed_in["other_year"] = read(course.folder / "solutions" / f"{ASSIGNMENT}-2026" / NOTEBOOK)
    for student, notebook in handed_in.items():
        folder = course.folder / "submitted" / student / NAME
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / NOTEBOOK)
    one_worker = ("--jobs", "1")
    done = run(course.folder, "autograder", "grade", NAME, "--json", *one_worker, expect=1)
    return {row["student"]: row for row in map(json.loads, done.stdout.splitlines())}


def test_own_work_has_all_points(rows):
    assert (rows["own"]["score"], rows["own"]["notes"]) == (20, [])


@pytest.mark.parametrize("student", ["last_year", "pasted", "friend", "other_year"])
def test_work_for_another_variant_has_no_points_is_said_to_be_that_and_is_left_to_a_person(rows, student):
    assert rows[student]["score"] == 0
    assert rows[student]["needs_person"] == list(EXERCISES)
    told = f"{', '.join(EXERCISES)}: handed in for another variant of the exercise."
    assert rows[student]["notes"] == [told]


def test_a_variant_handed_in_for_the_courses_own_assignment_is_said_to_be_that(course):
    solved = read(course.folder / "solutions" / NAME / NOTEBOOK)
    course.submit("mixed_up", nbformat.writes(solved))
    course.submit(
        "own_too", {e: cell(solved, e).source for e in EXERCISES} | {"linear": course.right["linear"]}
    )
    done = run(course.folder, "autograder", "grade", ASSIGNMENT, "--json", "--jobs", "1")
    found = {row["student"]: row for row in map(json.loads, done.stdout.splitlines())}
    named = {"mixed_up": EXERCISES, "own_too": EXERCISES[:-1]}
    for student, exercises in named.items():
        told = f"{', '.join(exercises)}: handed in for another variant of the exercise."
        assert found[student]["notes"] == [told]
        assert found[student]["needs_person"] == list(exercises)
    assert found["mixed_up"]["score"] == 0
    assert found["own_too"]["score"] == 5
    messages = [finding["message"] for one in found["mixed_up"]["cells"] for finding in one["findings"]]
    asked = "it defines ScaleAndShift, and no Affine. Your own notebook asks for Affine (x, scale, shift): "
    assert len([message for message in messages if asked in message]) == 1


def test_other_notebooks_handed_in_for_a_midterm_are_said_to_be_that(course):
    """A midterm of assignments 4 and 6: what is a variant is named, what is missing is left to a person."""
    ship(course.folder, "solutions/06-what-ctx-is-for")
    right, variant = (read(course.folder / "solutions" / name / NOTEBOOK) for name in (ASSIGNMENT, NAME))
    sixth = read(course.folder / "solutions" / "06-what-ctx-is-for" / "06-exercises.ipynb")
    taken = [cell(right, id_) for id_ in ("affine", "affine_test", "linear", "linear_test")]
    taken += [cell(sixth, id_) for id_ in ("sin_cos", "sin_cos_test")]
    sixth.cells[1].id = "more_imports"
    midterm = nbformat.v4.new_notebook(cells=[right.cells[1], sixth.cells[1], *taken])
    (course.folder / "solutions" / "midterm").mkdir()
    nbformat.write(midterm, course.folder / "solutions" / "midterm" / "midterm.ipynb")
    for student, notebook in {"own": midterm, "fourth": right, "variant": variant}.items():
        (folder := course.folder / "submitted" / student / "midterm").mkdir(parents=True)
        nbformat.write(notebook, folder / "midterm.ipynb")
    done = run(course.folder, "autograder", "grade", "midterm", "--json", "--jobs", "1")
    found = {row["student"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert (found["own"]["score"], found["own"]["needs_person"]) == (11, [])
    assert (found["fourth"]["score"], found["fourth"]["needs_person"]) == (8, ["sin_cos"])
    assert (found["variant"]["score"], found["variant"]["needs_person"]) == (
        0,
        ["affine", "linear", "sin_cos"],
    )
    assert "affine, linear: handed in for another variant of the exercise." in found["variant"]["notes"]
    assert "The cell sin_cos is missing." in found["variant"]["notes"]


def test_nobody_is_graded_by_the_variant_of_others(rows):
    assert rows["stranger"]["score"] is None
    assert "No variant of 04-first-function-2027 was made for stranger" in rows["stranger"]["fault"]


def test_the_report_names_the_exercises_of_the_course(course, rows):
    run(course.folder, "autograder", "report", NAME)
    page = (course.folder / "reports" / NAME / "index.html").read_text()
    assert all(exercise in page for exercise in EXERCISES)
    assert not re.search(
        r"kill_head_[0-9a-f]{6}\b", (course.folder / "reports" / NAME / "exercises.csv").read_text()
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["05-nothing", "--seed", "1"], "There is no assignment 05-nothing"),
        ([ASSIGNMENT, "--seed", "1", "--per-student", "class.csv"], "class.csv cannot be read"),
        ([ASSIGNMENT, "--seed", "1", "--per-student", "nobody.csv"], "has no student"),
        ([ASSIGNMENT, "--seed", "1", "--per-student", "odd.csv"], "is not a valid student id"),
        ([ASSIGNMENT, "--seed", "../x"], "letters and digits"),
    ],
)
def test_a_wrong_command_is_refused_in_a_sentence(course, arguments, told):
    (course.folder / "nobody.csv").write_text("name\nAda")
    (course.folder / "odd.csv").write_text("student\n../Ada")
    done = run(course.folder, "autograder", "variant", *arguments, expect=2)
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert not (course.folder / "solutions" / f"{ASSIGNMENT}-1").exists()


def test_another_assignment_of_that_name_stays(course):
    path = course.folder / "solutions" / f"{ASSIGNMENT}-mine" / NOTEBOOK
    path.parent.mkdir()
    path.write_text("{}")
    done = run(course.folder, "autograder", "variant", ASSIGNMENT, "--seed", "mine", expect=2)
    assert "is there already, and differs" in done.stderr
    assert path.read_text() == "{}"


def test_the_guide_shows_what_is_printed(course):
    guide = (ROOT / "site" / "instructors.md").read_text()
    said = run(course.folder, "autograder", "variant", ASSIGNMENT, "--seed", "2027").stdout
    assert said in guide
