"""The files by which nbgrader's exchange knows a submission: its time and its secret.

`nbgrader release_feedback` expects both beside each page in feedback/, as nbgrader's own commands copy them
there: from submitted/ to autograded/, and from autograded/ to feedback/.
"""

from datetime import datetime
from pathlib import Path

from autograder.grading.submission import CannotRead, read
from autograder.whole_file import replacing

TIMESTAMP, SECRET = FILES = ("timestamp.txt", "submission_secret.txt")
_BYTES_AT_MOST = 200


def timestamp(place: Path) -> datetime | None:
    """Return the time in timestamp.txt beside a submission; None if it is unreadable."""
    from nbgrader.utils import parse_utc

    try:
        when: datetime = parse_utc(_content(place / TIMESTAMP).decode().strip())
    except Exception:  # the parser of dates raises more than it documents
        return None
    return when


def carry(source: Path, target: Path) -> None:
    """Copy both files, where they exist, from a submission's folder to that of the next step.

    A time that cannot be read stays behind: nbgrader's commands would stop at it.
    """
    for name in FILES:
        content = _content(source / name)
        unreadable = name == TIMESTAMP and timestamp(source) is None
        if content and not unreadable and content != _content(target / name):
            replace(target / name, content)


def replace(path: Path, content: bytes) -> None:
    """Write a file as nbgrader leaves it: whole, and read-only."""
    with replacing(path) as part:
        part.write_bytes(content)
        part.chmod(0o444)


def _content(path: Path) -> bytes:
    try:
        return read(path)[:_BYTES_AT_MOST]
    except CannotRead:
        return b""
