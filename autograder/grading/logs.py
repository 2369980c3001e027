"""Escapes student-chosen file names in nbgrader's log."""

import logging

from vjpcheck.escaping import visible


class _Record(logging.LogRecord):
    def getMessage(self) -> str:  # noqa: N802 - as logging calls it
        return visible(super().getMessage())


def show_names_safely() -> None:
    """Escape everything that this process logs, on a terminal or in a file."""
    logging.setLogRecordFactory(_Record)
