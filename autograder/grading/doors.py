"""The same grading for nbgrader's own commands: `nbgrader autograde` and the formgrader's button.

`nbgrader_config.py` puts these in the place of nbgrader's exporter, Execute and SaveAutoGrades.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool

from autograder.grading.assignment import Assignment
from autograder.grading.course import Course
from autograder.grading.grade import grade_one
from autograder.grading.graded import Graded
from autograder.grading.grader import new_seed
from autograder.grading.levels import Level
from autograder.grading.sandbox import Sandbox, allowed_level

_graded: dict[tuple[str, str, str], tuple[Graded, Any]] = {}  # between the two preprocessors of one notebook


def expect_released_names(assignment: str, student: str, notebooks: list[str]) -> None:
    """Put the released name in the place of a name that a student has given to a notebook.

    nbgrader would stop at such a submission; `Grade` gives it its reason.
    """
    released = {path.stem for path in Course.here().folder("source", ".", assignment).glob("*.ipynb")}
    given = {Path(notebook).stem for notebook in notebooks}
    if given - released:
        folder = Path(notebooks[0]).parent
        notebooks[:] = [str(folder / f"{name}.ipynb") for name in sorted(released)]


class SubmissionExporter(NotebookExporter):
    """Reads nothing that a student wrote: `Grade` does, more carefully than nbgrader."""

    def from_filename(self, filename: str, resources: dict[str, Any] | None = None, **options: Any) -> Any:
        """Begin with an empty notebook, without whatever else was handed in, a link to anything, say."""
        found: dict[str, Any] = resources or {}
        facts = found["nbgrader"]
        course = _course(self.parent)
        folder = course.folder("autograded", facts["student"], facts["assignment"])
        keep = {"timestamp.txt", *(f"{name}.ipynb" for name in _assignments(course, facts["assignment"]))}
        source = course.folder("source", ".", facts["assignment"])
        for path in sorted(folder.rglob("*"), reverse=True) if folder.is_dir() else ():
            if path.is_dir() and not path.is_symlink():
                continue
            if path.name not in keep and not (source / path.relative_to(folder)).exists():
                path.unlink()
        return self.from_notebook_node(nbformat.v4.new_notebook(), resources=found, **options)


class Grade(NbGraderPreprocessor):
    """Puts the graded notebook in the place of whatever came in."""

    allow_weak_isolation = Bool(
        False, help="Whether to grade where submissions cannot be shut in; each grade's comment says so."
    ).tag(config=True)

    def preprocess(self, nb: Any, resources: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Grade the submission that the resources name."""
        facts = resources["nbgrader"]
        course = _course(self.parent)
        assignment = _assignments(course, facts["assignment"])[facts["notebook"]]
        sandbox = _sandbox(assignment, self.allow_weak_isolation)
        place = course.folder("submitted", facts["student"], facts["assignment"])
        given = course.hand_in(place, None, facts["notebook"])
        # the formgrader lives long: what feedback tells of one submission's numbers must not help the next
        graded = grade_one(assignment, given, sandbox, new_seed())
        _, timestamp = course.timestamp(place)
        _graded[facts["student"], facts["assignment"], facts["notebook"]] = graded, timestamp
        return nbformat.from_dict(json.loads(graded.text)), resources


class SaveGrades(NbGraderPreprocessor):
    """Writes the grades and comments of the notebook just graded into the gradebook."""

    def preprocess(self, nb: Any, resources: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Save in one transaction."""
        facts = resources["nbgrader"]
        graded, timestamp = _graded.pop((facts["student"], facts["assignment"], facts["notebook"]))
        with _course(self.parent).book(facts["assignment"]) as book:
            book.record(facts["student"], {facts["notebook"]: graded}, timestamp)
        return nb, resources


def _course(parent: Any) -> Course:
    while not hasattr(parent, "coursedir"):
        parent = parent.parent
    return Course(parent, parent.coursedir)


def _assignments(course: Course, name: str) -> dict[str, Assignment]:
    """Return the assignment, read again only when the instructor has changed it."""
    source = course.folder("source", ".", name)
    times = tuple(os.stat(path).st_mtime_ns for path in sorted(source.glob("*.ipynb")))
    return _read_assignments(_Key(course), name, times)


class _Key:
    """A course that is the same for a cache if its gradebook and root are."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self._facts = (course.directory.db_url, course.directory.root, os.getpid())

    def __hash__(self) -> int:
        return hash(self._facts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other._facts == self._facts


@cache
def _read_assignments(key: _Key, name: str, _: tuple[int, ...]) -> dict[str, Assignment]:
    with key.course.book(name) as book:
        return key.course.assignments(book)


@cache
def _level(allow_weak: bool) -> Level:
    return allowed_level(allow_weak)


_sandboxes: dict[tuple[str, ...], Sandbox] = {}


def _sandbox(assignment: Assignment, allow_weak: bool) -> Sandbox:
    """Return the warm process for these exercises; a new assignment's takes the place of the last one's."""
    from autograder.exercises import find

    wanted = tuple(dict.fromkeys(task.exercise for task in assignment.tasks))
    if wanted not in _sandboxes:
        for sandbox in _sandboxes.values():
            sandbox.close()
        _sandboxes.clear()
        _sandboxes[wanted] = Sandbox([find(id_) for id_ in wanted], _level(allow_weak))
    return _sandboxes[wanted]
