"""An nbgrader course in a folder of its own, and what students hand in there."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import nbformat
from isolation import ALLOW, ALLOW_IN_CONFIG
from shipped import ship
from warm_python import run_module

ASSIGNMENT = "04-first-function"
NOTEBOOK = "04-exercises.ipynb"
EXERCISES = ("kill_head", "abs_product", "affine", "scale_rows", "linear")


def run(course: Path, *arguments: str, expect: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a module in the course's folder and return what it said; a machine for tests may isolate weakly."""
    weak = ALLOW if arguments[:2] == ("autograder", "grade") else []
    done = run_module([*arguments, *weak], course)
    assert done.returncode == expect, done.stdout + done.stderr
    return done


def cell(notebook: nbformat.NotebookNode, grade_id: str) -> nbformat.NotebookNode:
    return next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


class MadeCourse:
    """Assignment 4; `extra` goes to the end of its nbgrader_config.py.

    `right` has the solutions by exercise, of those that the course still has.
    """

    def __init__(self, folder: Path, extra: str = "") -> None:
        self.folder = ship(folder, "nbgrader_config.py", f"solutions/{ASSIGNMENT}", f"exercises/{ASSIGNMENT}")
        with (folder / "nbgrader_config.py").open("a") as config:
            config.write(ALLOW_IN_CONFIG + extra)
        self.released = nbformat.read(folder / "exercises" / ASSIGNMENT / NOTEBOOK, as_version=4)
        solved = nbformat.read(folder / "solutions" / ASSIGNMENT / NOTEBOOK, as_version=4)
        there = {c.metadata.get("nbgrader", {}).get("grade_id") for c in solved.cells}
        self.right = {name: cell(solved, name).source for name in EXERCISES if name in there}

    def add_students(self, names: Mapping[str, tuple[str, str]]) -> None:
        rows = (f"{student},{first},{last}" for student, (first, last) in names.items())
        (self.folder / "class.csv").write_text("\n".join(["id,first_name,last_name", *rows]))
        run(self.folder, "nbgrader", "db", "student", "import", "class.csv")

    def notebook(self, changes: Mapping[str, str]) -> str:
        notebook = nbformat.from_dict(self.released)
        for grade_id, source in changes.items():
            cell(notebook, grade_id).source = source
        return nbformat.writes(notebook)

    def submit(self, student: str, changes: Mapping[str, str] | str) -> None:
        folder = self.folder / "submitted" / student / ASSIGNMENT
        folder.mkdir(parents=True)
        text = changes if isinstance(changes, str) else self.notebook(changes)
        (folder / NOTEBOOK).write_text(text)

    def grade(self, *options: str, expect: int = 0) -> subprocess.CompletedProcess[str]:
        # a second worker takes longer to start than these few submissions take
        usual = (ASSIGNMENT, "--jobs", "1")
        return run(self.folder, "autograder", "grade", *usual, *options, expect=expect)
