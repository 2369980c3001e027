"""An exception in student code, told in one sentence and as plain data."""

from __future__ import annotations

import linecache
import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict

_NOT_THE_STUDENTS = (
    str(Path(__file__).parent),
    sysconfig.get_path("stdlib"),
    sysconfig.get_path("purelib"),
    sysconfig.get_path("platlib"),
    "<frozen",
)


class StudentError(TypedDict):
    """Type and message of an exception, and the student's own line that it came from (or an empty string)."""

    type: str
    message: str
    during: str
    line: str


def describe_error(error: BaseException, during: str) -> StudentError:
    """Return an exception as plain data; `line` is the last one that is the student's own."""
    line = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if not frame.filename.startswith(_NOT_THE_STUDENTS):
            source = (frame.line or linecache.getline(frame.filename, frame.lineno or 0)).strip()
            line = f"line {frame.lineno}: {source}" if source else f"line {frame.lineno}"
    message = " ".join(str(error).split())
    return {"type": type(error).__name__, "message": message[:500], "during": during, "line": line}


@contextmanager
def student_errors(answer: Any, during: str) -> Iterator[None]:
    """Put an exception of the block into `answer["error"]`; only the reader's own interrupt gets through."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() in student code must not end a notebook or a grading run
        answer["error"] = describe_error(error, during)


def tell(error: StudentError) -> str:
    """Return the error as one sentence."""
    if error["type"] == "NotImplementedError":
        return f"{error['during'].split(',')[0]} is not written yet."
    where = f" ({error['line']})" if error["line"] else ""
    return f"{error['during']} raised {error['type']}{where}: {error['message']}"
