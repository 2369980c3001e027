"""Plugins for nbgrader's own commands: `nbgrader autograde` and the formgrader's button.

`nbgrader_config.py` puts them in the place of nbgrader's exporter, Execute and SaveAutoGrades.
"""

import atexit
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader.converters import NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Float, TraitError

from autograder.grading import exchange
from autograder.grading.assignment import Assignment, WrongAssignment
from autograder.grading.course import Course
from autograder.grading.jobs import Job
from autograder.grading.names import RULE, is_id, sort_out
from autograder.grading.notebook_grade import NotebookGrade
from autograder.grading.sandbox.budget import Limits, limits_of
from autograder.grading.sandbox.sandbox import allowed_level
from autograder.grading.workers import Pool

_graded: dict[tuple[str, str, str], tuple[NotebookGrade, Any]] = {}  # from Grade to SaveGrades


def prepare(assignment: str, student: str, notebooks: list[str]) -> None:
    """Register the assignment, and replace the name of a renamed notebook by the released name.

    nbgrader would stop at an assignment that its gradebook does not have, and at a notebook of another name.
    `Grade` writes the reason for the latter.
    """
    released = _assignments(Course.here(), assignment).keys()
    names = {Path(notebook).stem for notebook in notebooks}
    if names - released:
        folder = Path(notebooks[0]).parent
        notebooks[:] = [str(folder / f"{name}.ipynb") for name in sorted(released)]


class SubmissionExporter(NotebookExporter):
    """Exports an empty notebook: `Grade` reads the submission, and trusts it less than nbgrader does."""

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent=parent, **options)
        _remove_misnamed(parent)

    def from_filename(self, filename: str, resources: dict[str, Any] | None = None, **options: Any) -> Any:
        """Return an empty notebook, and remove other files that nbgrader has copied from the submission."""
        all_resources: dict[str, Any] = resources or {}
        facts = all_resources["nbgrader"]
        course = _course(self.parent)
        folder = course.folder("autograded", facts["student"], facts["assignment"])
        keep = {*exchange.FILES, *(f"{name}.ipynb" for name in _assignments(course, facts["assignment"]))}
        source = course.folder("source", ".", facts["assignment"])
        for path in sorted(folder.rglob("*"), reverse=True) if folder.is_dir() else ():
            if path.is_dir() and not path.is_symlink():
                continue
            if path.name not in keep and not (source / path.relative_to(folder)).exists():
                path.unlink()
        return self.from_notebook_node(nbformat.v4.new_notebook(), resources=all_resources, **options)


def _remove_misnamed(converter: Any) -> None:
    """Have nbgrader grade only folders whose name can be a student's id, then fail and list the others."""
    students = {Path(folder).parent.name: folder for folder in converter.assignments}
    _, misnamed = sort_out(students)
    if not misnamed:
        return
    for student, folder in students.items():
        if not is_id(student):
            del converter.assignments[folder]
    listed = "; ".join(f"{one.name}: {one.why}" for one in misnamed)
    message = "Not graded, because the name is not a valid student id; rename it and run this again."
    message = f"{message} {listed}. {RULE}."
    convert = converter.convert_notebooks

    def convert_then_fail() -> None:
        convert()
        converter.log.error(message)
        raise NbGraderException(message)

    converter.convert_notebooks = convert_then_fail


class Grade(NbGraderPreprocessor):
    """Replaces the submitted notebook by the graded one."""

    allow_weak_isolation = Bool(
        False,
        help="Whether to grade even if submissions cannot be isolated; the comment of each grade says so.",
    ).tag(config=True)

    time_limit = Float(
        60.0,
        min=1.0,
        help="Seconds that a process of a submission has; `autograder grade` takes them from here too.",
    ).tag(config=True)

    def preprocess(self, nb: Any, resources: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Grade the submission that the resources name."""
        facts = resources["nbgrader"]
        course = _course(self.parent)
        name = facts["notebook"]
        # the formgrader's server runs for weeks, and feedback shows the numbers
        common = {n: one.drawn_again() for n, one in _assignments(course, facts["assignment"]).items()}
        assignments = course.own(facts["student"], common)
        place = course.folder("submitted", facts["student"], facts["assignment"])
        submissions = {name: course.read_submission(place, None, assignments, name)}
        job = Job(facts["student"], submissions, {} if assignments is common else {name: assignments[name]})
        (outcome,) = _pool(self.allow_weak_isolation, self.time_limit).grade({name: common[name]}, [job])
        if outcome.fault:
            raise RuntimeError(outcome.fault)  # nbgrader logs it, and grades the others
        graded = outcome.graded[name]
        when = exchange.timestamp(place)
        _graded[facts["student"], facts["assignment"], name] = graded, when
        return nbformat.from_dict(json.loads(graded.text)), resources


def limits_here(course: Course) -> Limits:
    """Return the limits of the course's configuration; raises WrongAssignment if they are invalid."""
    try:
        return limits_of(Grade(parent=course.app).time_limit)
    except TraitError as error:
        raise WrongAssignment(f"nbgrader_config.py: {error}") from None


class SaveGrades(NbGraderPreprocessor):
    """Writes the grades and comments of the notebook just graded into the gradebook."""

    def preprocess(self, nb: Any, resources: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Write grades and comments in one transaction."""
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
    """Return the assignment's notebooks; read them again only after the instructor has changed them."""
    source = course.folder("source", ".", name)
    times = tuple(os.stat(path).st_mtime_ns for path in sorted(source.glob("*.ipynb")))
    return _read_assignments(_Key(course), name, times)


class _Key:
    """A course as a key of a cache: equal if gradebook, root and process are equal."""

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
def _pool(allow_weak: bool, seconds: float) -> Pool:
    """Return a pool of one worker, which ends with this process."""
    pool = Pool(allowed_level(allow_weak), 1, limits_of(seconds))
    atexit.register(pool.__exit__)
    return pool.__enter__()
