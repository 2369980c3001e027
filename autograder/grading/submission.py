"""Reads a submitted notebook, which may be any bytes, a link, a pipe, or missing."""

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.grading import memory
from vjpcheck import escaping

BYTES_AT_MOST = 10 << 20
WITH_OUTPUTS = 64 << 20  # bytes of a file, and of what reading it may take eight times


class CannotRead(Exception):  # noqa: N818 - the submission's reason, in a sentence
    """The submission is not a notebook that can be graded; the message gives the reason."""


@dataclass(frozen=True)
class Submission:
    """The bytes of a submitted notebook, or the reason why there are none; `remark` names an oddity."""

    content: bytes = b""
    reason: str = ""
    remark: str = ""

    @property
    def whole(self) -> bytes:
        """Return all that a grade depends on: the content, the reason and the remark."""
        return self.content + (self.reason + self.remark).encode("utf-8", "surrogatepass")

    @property
    def digest(self) -> str:
        """Return a hash of all that a grade depends on."""
        return hashlib.sha256(self.whole).hexdigest()


@dataclass(frozen=True)
class Cell:
    """The parts of a submitted cell that count."""

    kind: str
    source: str
    id: str | None
    grade_id: str | None


def read_submission(path: Path, top: Path) -> Submission:
    """Read a submitted notebook that lies somewhere below `top`; follow no link on the way down."""
    try:
        for part in [path, *path.parents]:
            if part == top:
                break
            if part.is_symlink():
                name = escaping.name(part.name)
                raise CannotRead(f"{name} is a symbolic link; hand in the notebook itself.")
        if not path.parent.is_dir():
            name = escaping.name(path.parent.name)
            raise CannotRead(f"Nothing was handed in: there is no folder {name}.")
        return Submission(read(path))
    except CannotRead as refusal:
        return Submission(reason=str(refusal))


def read(path: Path) -> bytes:
    """Return the content of a file of bounded size; raises CannotRead for a link, a pipe or a device."""
    name = escaping.name(path.name)
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        raise CannotRead(f"There is no notebook {name}.") from None
    except OSError as error:
        raise CannotRead(f"{name} cannot be opened: {error.strerror}.") from None
    facts = os.fstat(number)
    if not stat.S_ISREG(facts.st_mode):  # Python cannot open a folder as a file
        os.close(number)
        raise CannotRead(f"{name} is not a file.")
    with closing(os.fdopen(number, "rb", closefd=True)) as file:
        if facts.st_size > WITH_OUTPUTS:
            raise CannotRead(f"{name} is larger than {WITH_OUTPUTS >> 20} MB: clear its outputs.")
        try:
            content = file.read(WITH_OUTPUTS)
        except OSError as error:
            raise CannotRead(f"{name} cannot be read: {error.strerror}.") from None
    return bounded(content, name)


def bounded(content: bytes, name: str) -> bytes:
    """Return a notebook, without outputs if it is too large with them; raises CannotRead if it still is."""
    if len(content) > WITH_OUTPUTS:
        raise CannotRead(f"{name} is larger than {WITH_OUTPUTS >> 20} MB: clear its outputs.")
    if len(content) > BYTES_AT_MOST:
        content = _without_outputs(content)
    if len(content) > BYTES_AT_MOST:
        raise CannotRead(f"{name} is larger than {BYTES_AT_MOST >> 20} MB, even without its outputs.")
    return content


def _without_outputs(content: bytes) -> bytes:
    """Return a notebook without its outputs, which no grade depends on; other content as it is."""
    try:
        with memory.at_most(8 * WITH_OUTPUTS):
            notebook = json.loads(content)
            for cell in notebook["cells"]:
                cell.pop("outputs", None)
                cell.pop("attachments", None)
            return json.dumps(notebook).encode()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, MemoryError):
        return content


def cells_of(content: bytes) -> list[Cell]:
    """Return the cells of a notebook in format 4; those without a source are left out.

    Raises CannotRead if the content is no such notebook, or if there is nothing in it.
    """
    if not content.strip():
        raise CannotRead("The file is empty.")
    try:
        notebook = json.loads(content)
    except (ValueError, RecursionError) as error:
        reason = str(error).split(":")[0]
        raise CannotRead(f"The notebook cannot be read: it is not JSON ({reason}).") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise CannotRead("The file is not a notebook in format 4: it has no list of cells.")
    cells = list(_cells(notebook["cells"]))
    if not any(cell.source.strip() for cell in cells):
        raise CannotRead("The notebook is empty: nothing is written in it.")
    return cells


def _cells(cells: list[Any]) -> Iterator[Cell]:
    for cell in cells:
        if not isinstance(cell, dict):
            continue
        source = cell.get("source")
        if isinstance(source, list) and all(isinstance(line, str) for line in source):
            source = "".join(source)
        if not isinstance(source, str):
            continue
        metadata = cell.get("metadata")
        marked = metadata.get("nbgrader") if isinstance(metadata, dict) else None
        grade_id = marked.get("grade_id") if isinstance(marked, dict) else None
        # one half of a surrogate pair cannot be written to any file
        source = source.encode("utf-8", "replace").decode()
        yield Cell(str(cell.get("cell_type")), source, _string(cell.get("id")), _string(grade_id))


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None
