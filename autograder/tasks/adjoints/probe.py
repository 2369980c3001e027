"""Reads a student's dict of adjoints as plain numbers."""

from collections.abc import Mapping
from typing import Any

from autograder.tasks.calls import number
from vjpcheck.result import CannotRun


class Probe:
    """Holds a student's dict; raises CannotRun for anything else."""

    def __init__(self, work: Any, name: str) -> None:
        if not isinstance(work, Mapping):
            raise CannotRun(
                f"{name} must be a dict of node name → adjoint, but it is of type {type(work).__name__}."
            )
        self._work = work

    def adjoints(self) -> dict[str, float | None]:
        """Return the adjoints by node name; None for an entry that is not a number (yet)."""
        return {str(name): number(value) for name, value in self._work.items()}
