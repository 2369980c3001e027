"""Late work, a second grading and decisions by hand where each student has a variant of their own."""

import nbformat
import pytest
from made_course import ASSIGNMENT, EXERCISES, run
from own_variants import solve

from .conftest import NOTEBOOK, ACourse
from .term import decide, due, grade, gradebook, take_a_point_an_hour

NAME = f"{ASSIGNMENT}-2027"


def hand_in(course: ACourse, student: str, *exercises: str) -> None:
    """Hand in right work on some exercises, two hours late."""
    notebook = nbformat.read(course.path / "variants" / NAME / student / f"{NOTEBOOK}.ipynb", 4)
    solve(notebook, exercises)
    folder = course.path / "submitted" / student / NAME
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, folder / f"{NOTEBOOK}.ipynb")
    (folder / "timestamp.txt").write_text("2027-03-01 14:00:00 UTC")


@pytest.mark.long
def test_penalties_and_decisions_stay_right_when_variants_are_graded_again(new_course):
    course = new_course
    take_a_point_an_hour(course)
    (course.path / "roster.csv").write_text("student\nopal\njade\nonyx\n")
    run(course.path, "autograder", "variant", ASSIGNMENT, "--seed", "2027", "--per-student", "roster.csv")
    due(course, "2027-03-01 12:00:00 UTC", NAME)
    hand_in(course, "opal", *EXERCISES)
    hand_in(course, "jade", "affine")
    hand_in(course, "onyx", "affine")
    rows, _ = grade(course, assignment=NAME)
    found = {student: (row["score"], row["late_penalty"]) for student, row in rows.items()}
    assert found == {"opal": (18, 2), "jade": (1, 2), "onyx": (1, 2)}

    for student in ("jade", "onyx"):
        decide(course, student, "affine_test", 2.5, NAME)
    with gradebook(course) as book:
        book.grant_extension(NAME, "opal", days=1)
    rows, _ = grade(course, assignment=NAME)
    found = {student: (row["score"], row["late_penalty"], row["again"]) for student, row in rows.items()}
    assert found == {"opal": (20, 0, True), "jade": (0.5, 2, True), "onyx": (0.5, 2, True)}

    hand_in(course, "onyx", "linear")  # other work: the points by hand stay, and a person is asked
    rows, said = grade(course, "--regrade", assignment=NAME)
    found = {student: (row["score"], row["late_penalty"], row["again"]) for student, row in rows.items()}
    assert found == {"opal": (20, 0, False), "jade": (0.5, 2, False), "onyx": (5.5, 2, False)}
    asked = {student: row["needs_person"] for student, row in rows.items()}
    assert asked == {"opal": [], "jade": [], "onyx": ["affine"]}
    assert "  onyx: affine\n" in said
    names = {cell["name"] for row in rows.values() for cell in row["cells"] if cell["score"]}
    assert len(names) > len(EXERCISES)  # each was judged by parameters of their own
