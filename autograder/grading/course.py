"""The folders, the gradebook and the programs of the nbgrader course in the current folder."""

from __future__ import annotations

import json
import logging
import os
import sys
import sysconfig
import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.grading import exchange
from autograder.grading.assignment import Assignment, WrongAssignment, load
from autograder.grading.assignment_change import find_change, is_recorded
from autograder.grading.gradebook import Book, NotRegistered
from autograder.grading.names import Misnamed, sort_out
from autograder.grading.notebook_grade import METADATA, MIME, NotebookGrade
from autograder.grading.notebook_search import find_notebook
from autograder.grading.own_variant import own_variant
from autograder.grading.registration import register
from autograder.grading.submission import Submission, read_submission


def find_own_programs() -> None:
    """Put this environment's programs first on PATH, activated or not: nbgrader calls alembic by name."""
    scripts = sysconfig.get_path("scripts")
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if places[0] != scripts:
        os.environ["PATH"] = os.pathsep.join([scripts, *places])


@dataclass(frozen=True)
class EarlierGrade:
    """An earlier grade from autograded/: the facts of its grading, and the result of each graded cell."""

    facts: Mapping[str, Any]
    cells: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Course:
    """The course as nbgrader's configuration describes it."""

    app: Any
    directory: Any

    @staticmethod
    def here() -> Course:
        """Return the course of the current folder, with the configuration that `nbgrader` would read.

        As with nbgrader, the configuration may name plugins in modules of this folder. Raises WrongAssignment
        if the configuration cannot be read.
        """
        from nbgrader.apps import NbGrader
        from nbgrader.coursedir import CourseDirectory

        find_own_programs()
        if os.getcwd() not in sys.path:
            sys.path.append(os.getcwd())  # last: a file of the course takes the place of no installed module
        app = NbGrader()
        app.log.setLevel(logging.CRITICAL)
        app.raise_config_file_errors = True
        try:
            app.load_config_file(suppress_errors=False)
        except Exception as error:  # whatever the configuration raises
            raise WrongAssignment(f"nbgrader_config.py cannot be read: {_reason_of(error)}") from None
        app.log.setLevel(logging.ERROR)
        return Course(app, CourseDirectory(parent=app))

    def folder(self, step: str, student: str, assignment: str) -> Path:
        """Return the folder of a student's assignment in a step such as 'submitted' or 'autograded'."""
        name = getattr(self.directory, f"{step}_directory")
        return Path(self.directory.format_path(name, student, assignment))

    def book(self, assignment: str) -> Book:
        """Open the gradebook for an assignment; raises NotRegistered if the gradebook does not have it."""
        return Book(self.directory.db_url, self.directory.course_id, assignment)

    def open(self, assignment: str) -> tuple[Book, dict[str, Assignment]]:
        """Open the gradebook for an assignment and return its notebooks by name.

        Registers the assignment from its sources if the gradebook does not have it, or has other cells or
        points. Raises WrongAssignment if that is refused or there are no sources.
        """
        sources = self._sources(assignment)
        try:
            return self._open(assignment, sources)
        except NotRegistered:
            remarks = self._register(assignment, sources)
        book, notebooks = self._open(assignment, sources)
        book.remarks = remarks
        return book, notebooks

    def _register(self, assignment: str, sources: list[Path]) -> list[str]:
        """Write the sources into the gradebook; return sentences for the instructor about the change."""
        remarks = []
        with suppress(NotRegistered), self.book(assignment) as book:
            change = find_change(book, sources)
            change.refuse()
            remarks = change.remarks
        register(self.app, assignment)
        return remarks

    def _sources(self, assignment: str) -> list[Path]:
        folder = self.folder("source", ".", assignment)
        if not folder.is_dir():
            raise WrongAssignment(f"There is no assignment {assignment}: no folder {folder}.")
        sources = sorted(folder.glob("*.ipynb"))
        if not sources:
            raise WrongAssignment(f"There is no notebook in {folder}.")
        return sources

    def _open(self, assignment: str, sources: list[Path]) -> tuple[Book, dict[str, Assignment]]:
        book = self.book(assignment)
        try:
            notebooks = {}
            for path in sources:
                name = path.stem
                if name not in book.released:
                    raise NotRegistered(name)
                notebooks[name] = load(path, assignment, book.released[name])
                marked = (cell["metadata"].get("nbgrader", {}) for cell in notebooks[name].cells)
                recorded = {one["grade_id"] for one in marked if is_recorded(one)}
                if notebooks[name].points != book.points[name] or recorded != book.released[name].keys():
                    raise NotRegistered(name)
        except BaseException:
            book.close()
            raise
        return book, notebooks

    def submissions(self, assignment: str, folder: Path | None) -> tuple[dict[str, Path], list[Misnamed]]:
        """Return the path of each student's notebooks, and the names there that are no student id.

        A notebook directly in `folder` has its student's id as its name. The default folder is submitted/,
        where `nbgrader zip_collect` and `collect` write. Raises WrongAssignment if the folder is missing.
        """
        top = self._submitted() if folder is None else folder
        try:
            paths = sorted(top.iterdir())
        except OSError as error:
            if isinstance(error, (FileNotFoundError, NotADirectoryError)):
                raise WrongAssignment(f"There is no folder {top}.") from None
            raise WrongAssignment(f"{top} cannot be read: {error.strerror}.") from None
        places = {}
        for path in paths:
            if folder is not None and path.suffix == ".ipynb" and not path.name.startswith("."):
                places[path.stem] = path
            elif os.path.lexists(path / assignment):
                places[path.name] = path / assignment
        ids, misnamed = sort_out(places)
        return {student: places[student] for student in ids}, misnamed

    def own(self, student: str, assignments: Mapping[str, Assignment]) -> Mapping[str, Assignment]:
        """Return the notebooks made for a student; raises WrongAssignment as `own_variant` does."""
        return own_variant(Path(self.directory.root), student, assignments)

    def read_submission(
        self, place: Path, folder: Path | None, assignments: Mapping[str, Assignment], notebook: str
    ) -> Submission:
        """Read a submitted notebook of an assignment, from a student's folder or the file itself."""
        top = self._submitted() if folder is None else folder
        if place.suffix == ".ipynb":
            return read_submission(place, top)
        return find_notebook(place, top, assignments[notebook], assignments.keys())

    def _submitted(self) -> Path:
        return self.folder("submitted", ".", ".")

    def write_autograded(self, student: str, grade: NotebookGrade, place: Path, assignment: str) -> None:
        """Put the graded notebook of a submission into autograded/, whole or not at all; raises OSError."""
        folder = self.folder("autograded", student, assignment)
        folder.mkdir(parents=True, exist_ok=True)
        exchange.carry(place, folder)
        exchange.replace(folder / f"{grade.notebook}.ipynb", grade.text.encode())

    def autograded(self, student: str, assignment: str, notebook: str) -> EarlierGrade:
        """Return the grade in a notebook of autograded/; an empty one if the autograder wrote none."""
        path = self.folder("autograded", student, assignment) / f"{notebook}.ipynb"
        try:
            read = json.loads(path.read_bytes())
            return EarlierGrade(dict(read["metadata"][METADATA]), tuple(_results(read["cells"])))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return EarlierGrade({}, ())


def _results(cells: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for cell in cells:
        marked = cell["metadata"].get("nbgrader", {})
        for output in cell.get("outputs", []) if marked.get("grade") else []:
            if MIME in output.get("data", {}):
                yield {"grade_id": marked["grade_id"], **output["data"][MIME]}


def _reason_of(error: Exception) -> str:
    own = [
        f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).is_relative_to(Path.cwd())
    ]
    where = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {[*str(error).splitlines(), ''][0]}{where}"
