"""Collecting by `nbgrader zip_collect`: who a student is says the outermost name, nothing in an archive."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from autograder.grading import archives
from autograder.grading.names import RULE, is_id
from autograder.grading.submission import CannotRead, hand_in
from vjpcheck import escaping


class NotebookExtractor(ExtractorPlugin):
    """Takes the notebooks of archive/ and of the zips in it; says of every other file why it is left out."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Write the notebooks into extracted/; those of a zip into a folder of its name, as nbgrader does."""
        top = Path(archive_path)
        for path in sorted(top.rglob("*")):
            within = path.relative_to(top)
            if archives.hidden(within.parts) or (path.is_dir() and not path.is_symlink()):
                continue
            try:
                self._take(path, top, Path(extracted_path) / within)
            except CannotRead as refusal:
                self.log.warning(f"Not collected: {refusal}")
            except (OSError, ValueError) as error:  # a name that no file can have here, say
                told = f"{escaping.name(str(within))} cannot be extracted ({type(error).__name__})."
                self.log.warning(f"Not collected: {told}")

    def _take(self, path: Path, top: Path, target: Path) -> None:
        whole = archives.File(
            path.name, datetime.fromtimestamp(path.lstat().st_mtime), partial(_read, path, top)
        )
        refused = []
        for notebook in archives.notebooks(whole):
            place = target if notebook is whole else target.with_suffix("") / notebook.path
            try:
                content = notebook.read()
            except CannotRead as refusal:
                refused.append(str(refusal))
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        if refused:
            raise CannotRead(" ".join(refused))


class OutermostNameCollector(FileNameCollectorPlugin):
    """Takes the student from the name of what lay in archive/: a notebook, a folder, or an archive.

    The student stands before the first underscore of that name. The notebook is what stands after the last
    one, or, within a folder or an archive, the file's own name; a second one of that name gets a number.
    """

    def __init__(self, **given: object) -> None:
        super().__init__(**given)
        self._taken: set[tuple[str, str]] = set()

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return the student and the notebook's name, None for what is not to be collected."""
        app = self.parent
        path = Path(submitted_file)
        outermost, *inner = path.relative_to(app._format_collect_path(app.extracted_directory)).parts
        hidden = any(part.startswith((".", "__MACOSX")) for part in (outermost, *inner))
        if path.suffix not in self.valid_ext or hidden:
            return None
        student, _, rest = outermost.partition("_")
        if not rest or not is_id(student):
            told = f"{escaping.name(outermost)} does not begin with a student id and an underscore. {RULE}."
            self.log.warning(told)
            return None
        notebook = inner[-1] if inner else rest.rpartition("_")[2]
        return {"student_id": student, "file_id": self._unique(student, notebook)}

    def _unique(self, student: str, notebook: str) -> str:
        number, name = 1, notebook
        while (student, name) in self._taken:  # nbgrader would stop, and collect nothing of anybody's
            number += 1
            name = f"{Path(notebook).stem} ({number}).ipynb"
        self._taken.add((student, name))
        return name


def _read(path: Path, top: Path) -> bytes:
    given = hand_in(path, top)
    if given.reason:
        raise CannotRead(given.reason)
    return given.content
