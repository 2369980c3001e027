"""Reads a student's dict of function name → mistake id."""

from collections.abc import Mapping
from typing import Any

from vjpcheck.result import CannotRun


class Probe:
    """Holds a student's dict; raises CannotRun for anything else."""

    def __init__(self, work: Any, name: str) -> None:
        if not isinstance(work, Mapping):
            kind = type(work).__name__
            raise CannotRun(f"{name} must be a dict of function name → mistake id, but it is of type {kind}.")
        self._work = work

    def answers(self) -> dict[str, str | None]:
        """Return the entries; None for an id that is not a string (yet)."""
        return {
            str(getattr(name, "__name__", name)): str(value) if isinstance(value, str) else None
            for name, value in self._work.items()
        }
