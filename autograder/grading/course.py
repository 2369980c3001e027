"""The folders, the gradebook and the programs of the nbgrader course in the current folder."""

from __future__ import annotations

import json
import logging
import os
import sysconfig
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder.grading.assignment import Assignment, WrongAssignment, load
from autograder.grading.gradebook import Book, NotRegistered
from autograder.grading.graded import METADATA, Graded
from autograder.grading.registration import register
from autograder.grading.submission import CannotRead, HandedIn, hand_in, read


def find_own_programs() -> None:
    """Put this environment's programs first on PATH, activated or not: nbgrader calls alembic by name."""
    own = sysconfig.get_path("scripts")
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if places[0] != own:
        os.environ["PATH"] = os.pathsep.join([own, *places])


@dataclass(frozen=True)
class Course:
    """nbgrader's own idea of the course: its configuration, and what follows from it."""

    app: Any
    directory: Any

    @staticmethod
    def here() -> Course:
        """Return the course of the current folder, configured as `nbgrader` would be here."""
        from nbgrader.apps import NbGrader
        from nbgrader.coursedir import CourseDirectory

        find_own_programs()
        app = NbGrader()
        app.log.setLevel(logging.ERROR)
        app.load_config_file()
        return Course(app, CourseDirectory(parent=app))

    def folder(self, step: str, student: str, assignment: str) -> Path:
        """Return the folder of a student's assignment in a step such as 'submitted' or 'autograded'."""
        name = getattr(self.directory, f"{step}_directory")
        return Path(self.directory.format_path(name, student, assignment))

    def book(self, assignment: str) -> Book:
        """Open the gradebook at an assignment; raises NotRegistered if the gradebook does not know it."""
        return Book(self.directory.db_url, self.directory.course_id, assignment)

    def open(self, assignment: str) -> tuple[Book, dict[str, Assignment]]:
        """Open the gradebook at an assignment and return its notebooks by name.

        Registers the assignment from its sources where the gradebook does not know it, or has other cells or
        points. Raises WrongAssignment if that is refused or there are no sources.
        """
        sources = self._sources(assignment)
        try:
            return self._open(assignment, sources)
        except NotRegistered:
            register(self.app, assignment)
        return self._open(assignment, sources)

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
                if notebooks[name].points != book.points[name]:
                    raise NotRegistered(name)
        except BaseException:
            book.close()
            raise
        return book, notebooks

    def submissions(self, assignment: str, folder: Path | None) -> dict[str, Path]:
        """Return where each student's notebooks lie; a notebook right in a folder is named by its student.

        Without a folder it is submitted/, in which `nbgrader zip_collect` and `collect` leave them. Raises
        WrongAssignment if the folder is not there.
        """
        top = self._submitted() if folder is None else folder
        if not top.is_dir():
            raise WrongAssignment(f"There is no folder {top}.")
        found = {}
        for path in sorted(top.iterdir()):
            if path.name.startswith("."):
                continue
            if folder is not None and path.suffix == ".ipynb":
                found[path.stem] = path
            elif os.path.lexists(path / assignment):
                found[path.name] = path / assignment
        return found

    def hand_in(self, place: Path, folder: Path | None, notebook: str) -> HandedIn:
        """Read a submitted notebook, from a student's folder or the file itself."""
        top = self._submitted() if folder is None else folder
        return hand_in(place if place.suffix == ".ipynb" else place / f"{notebook}.ipynb", top)

    def _submitted(self) -> Path:
        return self.folder("submitted", ".", ".")

    def timestamp(self, place: Path) -> tuple[bytes, datetime | None]:
        """Return timestamp.txt beside a submission, and the time in it; nothing if it makes no sense."""
        from nbgrader.utils import parse_utc

        try:
            content = read(place / "timestamp.txt")[:200]
            return content, parse_utc(content.decode().strip())
        except (CannotRead, ValueError, OverflowError):
            return b"", None

    def write_autograded(self, student: str, graded: Graded, timestamp: bytes, assignment: str) -> None:
        """Put a graded notebook into autograded/, whole or not at all; raises OSError."""
        folder = self.folder("autograded", student, assignment)
        folder.mkdir(parents=True, exist_ok=True)
        if timestamp:
            _replace(folder / "timestamp.txt", timestamp)
        _replace(folder / f"{graded.notebook}.ipynb", graded.text.encode())

    def autograded_key(self, student: str, assignment: str, notebook: str) -> str | None:
        """Return the key of a notebook in autograded/, or None where there is none of ours."""
        path = self.folder("autograded", student, assignment) / f"{notebook}.ipynb"
        try:
            key: str | None = json.loads(path.read_bytes())["metadata"][METADATA]["key"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return key


def _replace(path: Path, content: bytes) -> None:
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        part.write_bytes(content)
        part.chmod(0o444)  # as nbgrader leaves it
        part.replace(path)
    except OSError:  # a full disk, say: a part would only make it fuller
        part.unlink(missing_ok=True)
        raise
