"""A class of 10,000 in one run: time and peak memory of grading, grading again, feedback and the report.

`python -m benchmarks.large_class [STUDENTS]`. One submission in fifty is real work; the others cannot be
read, so that the time is that of everything around the checks. `benchmarks.grading` measures the checks.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.grading import ASSIGNMENT, NOTEBOOK, ROOT, _course, _hand_in
from benchmarks.report import Report, at_most

STUDENTS, REAL = 10_000, 50
COMMANDS = (
    ("grade", "--jobs", "2"),
    ("grade", "--jobs", "2"),
    ("feedback", "--jobs", "2"),
    ("feedback", "--jobs", "2"),
    ("report",),
)


def rows(report: Report, students: int = STUDENTS) -> None:
    """Print time and memory for a tenth of the class and for all of it."""
    peaks = []
    for size in (students // 10, students):
        report.heading(f"{size} submissions, one in {REAL} of them real work")
        with tempfile.TemporaryDirectory() as scratch:
            course = _course(Path(scratch) / "course")
            _submit(course, size)
            peaks.append([_measure(course, *command) for command in COMMANDS])
    for command, small, large in zip(COMMANDS, *peaks, strict=True):
        if command[0] != "report":  # which has a row for each student on its pages and in its tables
            report.check(f"peak memory of {command[0]}, large / small", large / small, " times", at_most(1.5))


def _submit(course: Path, students: int) -> None:
    _hand_in(course, students // REAL)
    for number in range(students - students // REAL):
        folder = course / "submitted" / f"u{number:05}" / ASSIGNMENT
        folder.mkdir(parents=True)
        (folder / NOTEBOOK).write_text("[")


def _measure(course: Path, *command: str) -> float:
    """Run a command; print how long it takes, and return the MB that its first process takes at most."""
    start = time.perf_counter()
    arguments = [sys.executable, "-m", "autograder", command[0], ASSIGNMENT, *command[1:]]
    with open(os.devnull, "w") as nowhere:
        files = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), number) for number in (1, 2)]
        here = os.getcwd()
        os.chdir(course)
        try:
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            child = os.posix_spawn(sys.executable, arguments, environment, file_actions=files)
        finally:
            os.chdir(here)
        _, _, used = os.wait4(child, 0)
    seconds, peak = time.perf_counter() - start, used.ru_maxrss / 1024
    print(f"  {' '.join(command):<20} {seconds:>8.1f} s, peak {peak:>6.0f} MB", flush=True)
    return peak


if __name__ == "__main__":
    made = Report()
    rows(made, int(sys.argv[1]) if len(sys.argv) > 1 else STUDENTS)
    made.close()
