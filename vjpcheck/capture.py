"""Keeps what student code prints and warns out of a cell's outputs."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

LIMIT = 10_000


class _Bounded(io.StringIO):
    """A text buffer that stops growing, so that a print in a loop fills no memory."""

    def write(self, text: str) -> int:
        if self.tell() < LIMIT:
            super().write(text[: LIMIT - self.tell()])
        return len(text)


def _write_warning(
    buffer: io.StringIO,
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,
    line: str | None = None,
) -> None:
    if issubclass(category, (DeprecationWarning, FutureWarning)) and _is_of_torch(filename):
        return  # PyTorch calls what a later release will not have: the student cannot change that
    buffer.write(warnings.formatwarning(message, category, filename, lineno, line))


def _is_of_torch(filename: str) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and filename.startswith(os.path.dirname(str(torch.__file__)) + os.sep)


@contextmanager
def captured_output() -> Iterator[io.StringIO]:
    """Collect stdout, stderr and Python warnings of the block in one buffer of at most 10,000 characters.

    The streams' own `write` is replaced, and not only `sys.stdout`: a logging handler that a student made
    in an earlier cell holds the stream itself, and one line on stderr costs all points in nbgrader.
    """
    buffer = _Bounded()
    streams: list[Any] = [stream for stream in (sys.stdout, sys.stderr) if stream is not None]
    for stream in streams:
        stream.write = buffer.write
    try:
        with warnings.catch_warnings():
            # shown like other output: under the caller's "error" filter honest code would count as wrong
            warnings.simplefilter("default")
            warnings.showwarning = partial(_write_warning, buffer)
            yield buffer
    finally:
        for stream in streams:
            vars(stream).pop("write", None)
