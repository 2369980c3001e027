"""Captures the output and the warnings of student code."""

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
    """A text buffer of bounded size: a print in a loop must not fill the memory."""

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
        return  # about PyTorch's own code, which the student cannot change
    buffer.write(warnings.formatwarning(message, category, filename, lineno, line))


def _is_of_torch(filename: str) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and filename.startswith(os.path.dirname(str(torch.__file__)) + os.sep)


@contextmanager
def captured_output() -> Iterator[io.StringIO]:
    """Collect stdout, stderr and Python warnings of the block in one buffer of at most 10,000 characters.

    The `write` method of each stream is replaced, not only `sys.stdout`: a logging handler from an earlier
    cell refers to the stream itself, and one line on stderr costs all points in nbgrader.
    """
    buffer = _Bounded()
    streams: list[Any] = [stream for stream in (sys.stdout, sys.stderr) if stream is not None]
    for stream in streams:
        stream.write = buffer.write
    try:
        with warnings.catch_warnings():
            # printed, not raised: under an "error" filter of the caller, right code would count as wrong
            warnings.simplefilter("default")
            warnings.showwarning = partial(_write_warning, buffer)
            yield buffer
    finally:
        for stream in streams:
            vars(stream).pop("write", None)
