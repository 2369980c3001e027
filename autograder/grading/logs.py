"""What nbgrader logs has the names of files in it, which students have given: shown as they are nowhere."""

from __future__ import annotations

import logging

from vjpcheck.escaping import visible


class _Record(logging.LogRecord):
    def getMessage(self) -> str:  # noqa: N802 - as logging calls it
        return visible(super().getMessage())


def show_names_safely() -> None:
    """Have all that this process logs, on a terminal or in a file, pass the one way out for text."""
    logging.setLogRecordFactory(_Record)
