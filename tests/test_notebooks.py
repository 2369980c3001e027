"""Every notebook runs from top to bottom without errors or warnings, and is built as it should be."""

import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.exercises import EXERCISES

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted((ROOT / "course").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "solutions").glob("*/*.ipynb"))
RELEASED = sorted((ROOT / "exercises").glob("*/*.ipynb"))
WITHOUT_TORCH = ("01", "02", "03")


def name(path: Path) -> str:
    return path.stem


def run(path: Path) -> nbformat.NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": path.parent}}).execute()
    return notebook


def stderr(notebook: nbformat.NotebookNode) -> str:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.text for output in outputs if output.get("name") == "stderr")


def graded(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]


def points(cell: nbformat.NotebookNode) -> float:
    return float(next(o for o in cell.outputs if o.output_type == "execute_result").data["text/plain"])


@pytest.mark.long  # what the site is built from runs too, and must not warn there either
@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_a_lesson_runs_and_nothing_warns(path):
    assert stderr(run(path)) == ""


@pytest.mark.long  # on the site's pages every check of a solution says that it is right
@pytest.mark.parametrize("path", SOLUTIONS, ids=name)
def test_a_solution_gets_every_point(path):
    notebook = run(path)
    assert stderr(notebook) == ""
    for cell in graded(notebook):
        assert points(cell) == cell.metadata.nbgrader.points, cell.id


@pytest.mark.parametrize("path", RELEASED, ids=name)
def test_a_released_notebook_runs_and_gets_no_point(path):
    notebook = run(path)
    assert stderr(notebook) == ""
    for cell in graded(notebook):
        assert points(cell) == 0, cell.id


@pytest.mark.parametrize(
    "path", [p for p in [*LESSONS, *SOLUTIONS] if p.name.startswith(WITHOUT_TORCH)], ids=name
)
def test_lessons_1_to_3_import_no_torch(path):
    notebook = nbformat.read(path, as_version=4)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    script = f"{code}\nimport sys\nassert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, cwd=path.parent)


def test_every_exercise_of_a_lesson_stands_once_in_solutions():
    written = {int(path.name[:2]) for path in LESSONS}
    ids = [
        cell.metadata.nbgrader.grade_id
        for path in SOLUTIONS
        for cell in graded(nbformat.read(path, as_version=4))
    ]
    asked = [exercise.id for exercise in EXERCISES.values() if exercise.lesson in written]
    assert sorted(ids) == sorted(f"{exercise}_test" for exercise in asked)


@pytest.mark.parametrize("path", SOLUTIONS, ids=name)
def test_points_are_those_of_the_autograder_and_add_up_to_20(path):
    given = {
        cell.metadata.nbgrader.grade_id.removesuffix("_test"): cell.metadata.nbgrader.points
        for cell in graded(nbformat.read(path, as_version=4))
    }
    assert given == {exercise: EXERCISES[exercise].max_score for exercise in given}
    assert sum(given.values()) == 20


@pytest.mark.parametrize("path", [*LESSONS, *SOLUTIONS], ids=name)
def test_headings_form_an_outline(path):
    cells = nbformat.read(path, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    levels = [len(marks) for marks in re.findall(r"^(#+) ", text, flags=re.MULTILINE)]
    assert Counter(levels)[1] == 1
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


@pytest.mark.parametrize("path", [*LESSONS, *SOLUTIONS, *RELEASED], ids=name)
def test_links_inside_the_project_resolve(path):
    cells = nbformat.read(path, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not target.startswith(("http://", "https://")):
            assert (path.parent / target).exists(), target
