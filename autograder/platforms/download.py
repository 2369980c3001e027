"""Lists the files of a download: an archive, a folder, or a single file."""

import os
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from autograder.grading import archives
from autograder.grading.archives import File
from autograder.grading.submission import CannotRead, read
from vjpcheck import escaping


def files(download: Path) -> Iterator[File]:
    """Yield the files of a download, in any order; raises CannotRead if there is none or it is damaged.

    Hidden files and those that macOS adds are left out. Reading a link raises CannotRead.
    """
    name = escaping.name(str(download))
    if download.is_dir():
        for path in sorted(download.rglob("*")):
            within = path.relative_to(download)
            if (path.is_symlink() or path.is_file()) and not archives.hidden(within.parts):
                yield _file(path, within.as_posix())
    elif not download.exists():
        raise CannotRead(f"There is no {name}.")
    elif download.suffix.lower() == ".zip":
        try:
            yield from archives.files(download, name)
        except CannotRead as error:
            raise CannotRead(f"{error} Was it downloaded to the end?") from None
    else:
        yield _file(download, download.name)


def _file(path: Path, within: str) -> File:
    # a table cannot have a name that is not UTF-8; the student's part of it stays readable
    name = os.fsencode(within).decode("utf-8", "replace")
    return File(name, datetime.fromtimestamp(path.lstat().st_mtime), partial(_read, path))


def _read(path: Path) -> bytes:
    if path.is_symlink():
        raise CannotRead(f"{escaping.name(path.name)} is a symbolic link.")
    return read(path)
