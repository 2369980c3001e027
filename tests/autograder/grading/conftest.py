"""A course in a folder of its own, to be handed in to and graded."""

import copy
import shutil
from pathlib import Path

import nbformat
import pytest
from made_course import ASSIGNMENT, EXERCISES, MadeCourse, cell

NOTEBOOK = "04-exercises"


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


@pytest.fixture(scope="session")
def released_course(tmp_path_factory) -> Path:
    return MadeCourse(tmp_path_factory.mktemp("course")).folder


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
