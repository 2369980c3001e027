"""Reads the files of an archive that a student or a platform has packed, one at a time in bounded size.

An archive is not trusted: links are not followed, and the unpacked size is bounded.
"""

import io
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from autograder.grading.submission import WITH_OUTPUTS, CannotRead, bounded
from vjpcheck import escaping

ENTRIES_AT_MOST = 500  # of a student's own archive
UNPACKED_AT_MOST = 50 << 20  # bytes of the notebooks in it, all together
_OTHER_ARCHIVES = (".7z", ".bz2", ".gz", ".rar", ".tar", ".tgz", ".xz", ".zip")
_HIDDEN = (".", "__MACOSX")


@dataclass(frozen=True)
class File:
    """A file of a download, or of an archive in it; `read` raises CannotRead."""

    path: str
    when: datetime | None
    read: Callable[[], bytes]


def files(archive: Path | io.BytesIO, name: str) -> Iterator[File]:
    """Yield the files of a zip archive without hidden ones and those that macOS adds.

    Their paths stay within the archive. Raises CannotRead if it is not a readable zip file.
    """
    try:
        opened = zipfile.ZipFile(archive)
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        raise CannotRead(f"{name} is not a readable zip file.") from None
    for entry in opened.infolist():
        whole = PurePosixPath(entry.filename.replace("\\", "/")).parts
        parts = tuple(part for part in whole if part not in ("/", ".."))  # no way out of the archive
        if not entry.is_dir() and parts and not hidden(parts):
            yield File("/".join(parts), _when(entry), _reader(opened, entry, name))


def notebooks(file: File) -> list[File]:
    """Return the notebooks in a submitted file: the file itself, or the notebooks of a student's archive.

    Raises CannotRead if there is none, or if the archive has too many files or bytes.
    """
    name = escaping.name(PurePosixPath(file.path).name)
    suffix = PurePosixPath(file.path).suffix.lower()
    if suffix == ".ipynb":
        return [file]
    if suffix in _OTHER_ARCHIVES and suffix != ".zip":
        raise CannotRead(f"{name} is not a zip file, and other archives are not opened: unpack it.")
    if suffix != ".zip":
        raise CannotRead(f"{name} is not a notebook.")
    content = io.BytesIO(file.read())
    within = []
    for one in files(content, name):
        within.append(one)
        if len(within) > ENTRIES_AT_MOST:
            raise CannotRead(f"{name} has more than {ENTRIES_AT_MOST} files in it.")
    contained = [one for one in within if one.path.lower().endswith(".ipynb")]
    if not contained:
        inner = [one.path for one in within if one.path.lower().endswith(_OTHER_ARCHIVES)]
        further = f", only a further archive, {escaping.name(inner[0])}: unpack it" if inner else ""
        raise CannotRead(f"{name} contains no notebook{further}.")
    with zipfile.ZipFile(content) as opened:
        unpacked = sum(e.file_size for e in opened.infolist() if e.filename.lower().endswith(".ipynb"))
    if unpacked > UNPACKED_AT_MOST:
        raise CannotRead(f"{name} has more than {UNPACKED_AT_MOST >> 20} MB of notebooks in it.")
    return contained


def hidden(parts: tuple[str, ...]) -> bool:
    """Return whether a file is hidden, is in a hidden folder, or was added to an archive by macOS."""
    return any(part.startswith(_HIDDEN) for part in parts)


def _when(entry: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*entry.date_time)
    except ValueError:
        return None


def _reader(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> Callable[[], bytes]:
    described = f"{escaping.name(PurePosixPath(entry.filename).name)} in {name}"

    def read() -> bytes:
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise CannotRead(f"{described} is a symbolic link; hand in the notebook itself.")
        if entry.flag_bits & 1:
            raise CannotRead(f"{described} has a password.")
        try:
            with archive.open(entry) as opened:
                content = opened.read(WITH_OUTPUTS + 1)
        except NotImplementedError:
            raise CannotRead(f"{described} is packed in a way that cannot be read here.") from None
        except Exception:  # zlib.error, lzma.LZMAError: each method of compression has its own
            raise CannotRead(f"{described} is damaged.") from None
        return bounded(content, described)

    return read
