"""An instructor's round in a clone as shipped, with nbgrader's own commands: from work to feedback."""

import csv
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from isolation import ALLOW_IN_CONFIG
from made_course import run
from shipped import ROOT, ship

COURSE = ("nbgrader_config.py", "solutions", "exercises")
ASSIGNMENT = "04-first-function"
NOTEBOOK = "04-exercises.ipynb"
ASSIGNMENTS = sorted(folder.name for folder in (ROOT / "solutions").iterdir() if folder.is_dir())

# Honest code may warn, log and print: nbgrader alone would give 0 points for any of it.
NOISY = """
import logging, sys, warnings

logging.basicConfig()
quiet = KillHead.backward


def noisy(ctx, grad_output):
    warnings.warn("this is only a warning")
    logging.warning("this is only a log line")
    print("this is only a remark", file=sys.stderr)
    return quiet(ctx, grad_output)


KillHead.backward = staticmethod(noisy)
"""

WRONG_ABS_PRODUCT = """
class AbsProduct(Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return (u * v).abs()

    @staticmethod
    def backward(ctx, grad_output):
        u, v = ctx.saved_tensors
        return grad_output * v, grad_output * u
"""


def nbgrader(course: Path, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments], cwd=course, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def cell(notebook: nbformat.NotebookNode, grade_id: str) -> nbformat.NotebookNode:
    return next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def _shipped(folder: Path) -> Path:
    ship(folder, *COURSE)
    with (folder / "nbgrader_config.py").open("a") as config:
        config.write(ALLOW_IN_CONFIG)
    return folder


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course in a folder of its own, autograded, with feedback and scores.csv."""
    course = _shipped(tmp_path_factory.mktemp("course"))
    solved = nbformat.read(course / "solutions" / ASSIGNMENT / NOTEBOOK, as_version=4)
    released = nbformat.read(course / "exercises" / ASSIGNMENT / NOTEBOOK, as_version=4)

    def submit(student: str, changes: dict[str, str]) -> None:
        notebook = nbformat.from_dict(released)
        for grade_id, source in changes.items():
            cell(notebook, grade_id).source = source
        folder = course / "submitted" / student / ASSIGNMENT
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / NOTEBOOK)

    exercises = ("kill_head", "abs_product", "affine", "scale_rows", "linear")
    right = {grade_id: cell(solved, grade_id).source for grade_id in exercises}
    submit("untouched", {})
    submit("right", right | {"kill_head": right["kill_head"] + NOISY})
    submit(
        "half", {"kill_head": right["kill_head"], "affine": right["affine"], "abs_product": WRONG_ABS_PRODUCT}
    )
    nbgrader(course, "autograde", ASSIGNMENT)
    nbgrader(course, "generate_feedback", ASSIGNMENT)
    nbgrader(course, "export", "--to=scores.csv")
    return course


def scores(course: Path) -> dict[str, float]:
    with (course / "scores.csv").open() as file:
        return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}


@pytest.mark.long
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_solution_gets_all_points_and_an_untouched_release_none(assignment, tmp_path):
    _shipped(tmp_path)
    for student, source in {"right": "solutions", "untouched": "exercises"}.items():
        shutil.copytree(tmp_path / source / assignment, tmp_path / "submitted" / student / assignment)
    run(tmp_path, "nbgrader", "autograde", assignment)
    run(tmp_path, "nbgrader", "export", "--to=scores.csv")
    assert scores(tmp_path) == {"right": 20, "untouched": 0}


def feedback(course: Path, student: str) -> str:
    return (course / "feedback" / student / ASSIGNMENT / NOTEBOOK).with_suffix(".html").read_text()


def test_scores_are_what_they_should_be(course):
    # half: kill_head 4, affine 3, and abs_product's forward and contract 1.5
    assert scores(course) == {"right": 20.0, "half": 8.5, "untouched": 0.0}


def test_the_maximum_is_20(course):
    with (course / "scores.csv").open() as file:
        assert {float(row["max_score"]) for row in csv.DictReader(file)} == {20.0}


def test_feedback_explains_what_is_wrong(course):
    assert "The gradient for u has the wrong sign in places" in feedback(course, "half")
    assert "not started: forward still raises NotImplementedError" in feedback(course, "untouched")
    assert "has the wrong sign" not in feedback(course, "right")


def test_feedback_shows_what_honest_code_printed(course):
    assert "this is only a log line" in feedback(course, "right")
