"""Plugins for `nbgrader zip_collect`: the outermost name identifies the student."""

import os
from datetime import datetime
from functools import partial
from pathlib import Path

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from autograder.grading import archives, refused
from autograder.grading.names import RULE, is_id
from autograder.grading.refused import Refused
from autograder.grading.submission import CannotRead, read_submission
from vjpcheck import escaping


class NotebookExtractor(ExtractorPlugin):
    """Extracts the notebooks of archive/ and of its zip files; logs why any other file is left out."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Write the notebooks into extracted/; as in nbgrader, those of a zip into a folder of its name."""
        top, left_out = Path(archive_path), list[Refused]()
        for path in sorted(top.rglob("*")):
            within = path.relative_to(top)
            if archives.hidden(within.parts) or (path.is_dir() and not path.is_symlink()):
                continue
            try:
                self._take(path, top, Path(extracted_path) / within)
            except CannotRead as refusal:
                self.log.warning(f"Not collected: {refusal}")
                name, student = escaping.name(within.as_posix()), _student_of(within.parts[0])
                left_out += [Refused(student, name, str(refusal), os.path.relpath(top))] if student else []
            except (OSError, ValueError) as error:  # a name that no file can have here, say
                problem = f"{escaping.name(str(within))} cannot be extracted ({type(error).__name__})."
                self.log.warning(f"Not collected: {problem}")
        refused.add(self.parent.coursedir.assignment_id, left_out)

    def _take(self, path: Path, top: Path, target: Path) -> None:
        whole = archives.File(
            path.name, datetime.fromtimestamp(path.lstat().st_mtime), partial(_read, path, top)
        )
        problems = []
        for notebook in archives.notebooks(whole):
            place = target if notebook is whole else target.with_suffix("") / notebook.path
            try:
                content = notebook.read()
            except CannotRead as refusal:
                problems.append(str(refusal))
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        if problems:
            raise CannotRead(" ".join(problems))


class OutermostNameCollector(FileNameCollectorPlugin):
    """Reads the student's id from the outermost name in archive/: a notebook, a folder, or an archive.

    The id stands before the first underscore of that name. The notebook's name stands after the last one;
    within a folder or an archive, it is the file's own name. A second notebook of that name gets a number.
    """

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self._names: set[tuple[str, str]] = set()

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return the student and the notebook's name; None for a file that is not collected."""
        app = self.parent
        path = Path(submitted_file)
        outermost, *inner = path.relative_to(app._format_collect_path(app.extracted_directory)).parts
        hidden = any(part.startswith((".", "__MACOSX")) for part in (outermost, *inner))
        if path.suffix not in self.valid_ext or hidden:
            return None
        student = _student_of(outermost)
        if not student:
            note = f"{escaping.name(outermost)} does not begin with a student id and an underscore. {RULE}."
            self.log.warning(note)
            return None
        notebook = inner[-1] if inner else outermost.rpartition("_")[2]
        return {"student_id": student, "file_id": self._unique(student, notebook)}

    def _unique(self, student: str, notebook: str) -> str:
        number, name = 1, notebook
        while (student, name) in self._names:  # nbgrader would stop, and collect nothing of anybody's
            number += 1
            name = f"{Path(notebook).stem} ({number}).ipynb"
        self._names.add((student, name))
        return name


def _student_of(outermost: str) -> str:
    """Return the id before the first underscore of an outermost name, or "" if there is none."""
    student, _, remainder = outermost.partition("_")
    return student if remainder and is_id(student) else ""


def _read(path: Path, top: Path) -> bytes:
    submission = read_submission(path, top)
    if submission.reason:
        raise CannotRead(submission.reason)
    return submission.content
