"""A course in a folder of its own, to be handed in to and graded."""

import copy
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[3]
ASSIGNMENT = "04-first-function"
NOTEBOOK = "04-exercises"
EXERCISES = ("kill_head", "abs_product", "affine", "scale_rows", "linear")


def run(course: Path, *command: str) -> subprocess.CompletedProcess:
    done = subprocess.run([sys.executable, "-m", *command], cwd=course, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


class ACourse:
    """An nbgrader course; `solved` and `released` are its notebook with and without the solutions."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.solved = nbformat.read(path / "solutions" / ASSIGNMENT / f"{NOTEBOOK}.ipynb", 4)
        self.released = nbformat.read(path / "exercises" / ASSIGNMENT / f"{NOTEBOOK}.ipynb", 4)

    def right(self, *names: str) -> dict[str, str]:
        return {name: cell(self.solved, name).source for name in names or EXERCISES}

    def notebook(self, changes: dict[str, str]) -> nbformat.NotebookNode:
        notebook = copy.deepcopy(self.released)
        for grade_id, source in changes.items():
            cell(notebook, grade_id).source = source
        return notebook

    def folder(self, student: str) -> Path:
        folder = self.path / "submitted" / student / ASSIGNMENT
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def submit(self, student: str, changes: dict[str, str] | nbformat.NotebookNode) -> Path:
        notebook = changes if isinstance(changes, nbformat.NotebookNode) else self.notebook(changes)
        path = self.folder(student) / f"{NOTEBOOK}.ipynb"
        nbformat.write(notebook, path)
        return path

    def autograded(self, student: str) -> nbformat.NotebookNode:
        notebook = nbformat.read(self.path / "autograded" / student / ASSIGNMENT / f"{NOTEBOOK}.ipynb", 4)
        nbformat.validate(notebook)
        return notebook


def cell(notebook: nbformat.NotebookNode, grade_id: str) -> nbformat.NotebookNode:
    return next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


@pytest.fixture(scope="session")
def released_course(tmp_path_factory) -> Path:
    course = tmp_path_factory.mktemp("course")
    shutil.copy(ROOT / "nbgrader_config.py", course)
    shutil.copytree(ROOT / "solutions" / ASSIGNMENT, course / "solutions" / ASSIGNMENT)
    run(course, "nbgrader", "generate_assignment", ASSIGNMENT)
    return course


@pytest.fixture(scope="module")
def course(released_course, tmp_path_factory) -> ACourse:
    """A new course for each test module."""
    return ACourse(_copy(released_course, tmp_path_factory))


@pytest.fixture
def new_course(released_course, tmp_path_factory) -> ACourse:
    """A new course for each test."""
    return ACourse(_copy(released_course, tmp_path_factory))


def _copy(released_course: Path, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("copy") / "course"
    shutil.copytree(released_course, path)
    return path
