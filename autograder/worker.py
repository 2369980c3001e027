"""The process of a probe for a student's file, in which `check` and `grade` do nothing."""

from pathlib import Path
from typing import Any

import autograder
from vjpcheck import worker
from vjpcheck.probes import Subject


def open_probe(subject: Subject, path: Path) -> worker.SubprocessProbe:
    """Return a probe of one name in one file, in a process of its own."""
    return worker.SubprocessProbe(subject, path, __name__)


def _silent(*_: Any) -> None:
    pass


if __name__ == "__main__":
    autograder.check = autograder.grade = _silent  # type: ignore[assignment]
    worker.main()
