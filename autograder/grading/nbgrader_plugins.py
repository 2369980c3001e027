"""Grading by nbgrader's own commands: `nbgrader autograde` and the formgrader's button.

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
from autograder.grading.sandbox.levels import Level
from autograder.grading.sandbox.sandbox import Sandbox, allowed_level

_graded: dict[tuple[str, str, str], tuple[Graded, Any]] = {}  # from Grade to SaveGrades


def prepare(assignment: str, student: str, notebooks: list[str]) -> None:
    """Register the assignment, and put the released name in the place of a name that a student has given.

    nbgrader would stop at an assignment that its gradebook does not know, and at a notebook of another name;
    `Grade` gives the latter its reason.
    """
    released = _assignments(Course.here(), assignment).keys()
    given = {Path(notebook).stem for notebook in notebooks}
    if given - released:
        folder = Path(notebooks[0]).parent
        notebooks[:] = [str(folder / f"{name}.ipynb") for name in sorted(released)]


class SubmissionExporter(NotebookExporter):
    """Leaves reading the submission to `Grade`, which trusts it less than nbgrader does."""

    def from_filename(self, filename: str, resources: dict[str, Any] | None = None, **options: Any) -> Any:
        """Return an empty notebook; remove other files that nbgrader has copied from the submission."""
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
    """Replaces the notebook by the graded one."""

    allow_weak_isolation = Bool(
        False, help="Whether to grade where submissions cannot be isolated; each grade's comment says so."
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
        graded = grade_one(assignment, given, sandbox)
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
    """A course as a key of a cache: equal if gradebook, root and process are."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self._facts = (course.directory.db_url, course.directory.root, os.getpid())

    def __hash__(self) -> int:
        return hash(self._facts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other._facts == self._facts


@cache
def _read_assignments(key: _Key, name: str, _: tuple[int, ...]) -> dict[str, Assignment]:
    book, assignments = key.course.open(name)
    book.close()
    return assignments


@cache
def _level(allow_weak: bool) -> Level:
    return allowed_level(allow_weak)


_sandboxes: dict[tuple[str, ...], Sandbox] = {}


def _sandbox(assignment: Assignment, allow_weak: bool) -> Sandbox:
    """Return the sandbox for an assignment's exercises; it replaces that of the last assignment."""
    from autograder.exercises import find

    wanted = tuple(dict.fromkeys(task.exercise for task in assignment.tasks))
    if wanted not in _sandboxes:
        for sandbox in _sandboxes.values():
            sandbox.close()
        _sandboxes.clear()
        _sandboxes[wanted] = Sandbox([find(id_) for id_ in wanted], _level(allow_weak))
    return _sandboxes[wanted]
