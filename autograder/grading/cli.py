"""The command `autograder grade`, its progress line and its summary."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from autograder.refusal import Refusal
from vjpcheck.broken_pipe import discard_output
from vjpcheck.escaping import visible

if TYPE_CHECKING:
    from autograder.grading.run import ClassRun
    from autograder.grading.summary import Row

DONE, INCOMPLETE, NOT_RUN = 0, 1, 2
Thing = TypeVar("Thing")
RATE_FROM, RATE_OF = 5, 100  # grades: a rate is that of as many at least and at most


Commands = Any  # argparse has no public name for its type
Run = Callable[[argparse.Namespace], int]


def add_command(commands: Commands, name: str, run: Run, summary: str) -> argparse.ArgumentParser:
    """Add a command; the docstring of the function that it runs is its description."""
    parser: argparse.ArgumentParser = commands.add_parser(name, help=summary, description=run.__doc__)
    parser.set_defaults(run=run)
    return parser


def add_parser(commands: Commands) -> None:
    """Add the command to the others."""
    parser = add_command(commands, "grade", grade, "grade a class")
    add_assignment(parser)
    parser.add_argument(
        "--from",
        dest="folder",
        metavar="FOLDER",
        type=Path,
        help="a folder of notebooks named by student, or of folders as in submitted/; default: submitted/",
    )
    parser.add_argument(
        "--student",
        metavar="ID",
        action="append",
        default=[],
        help="grade this student only; may be repeated",
    )
    parser.add_argument(
        "--regrade",
        action="store_true",
        help="grade again what has a grade; points given by hand stay",
    )
    target = parser.add_mutually_exclusive_group()
    add_jobs(target)
    target.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="use the workers of the Dask scheduler at ADDRESS, such as tcp://10.0.0.1:8786",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object per student, each on one line"
    )
    parser.add_argument(
        "--allow-weak-isolation",
        action="store_true",
        help="grade even if submissions cannot be isolated; it is noted with each grade",
    )


def add_assignment(parser: argparse.ArgumentParser) -> None:
    """Add the argument ASSIGNMENT, which most commands for instructors have."""
    parser.add_argument(
        "assignment", metavar="ASSIGNMENT", help="the name of its folder, such as 04-first-function"
    )


def add_jobs(parser: argparse._ActionsContainer) -> None:
    """Add the option --jobs."""
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=_positive,
        default=os.cpu_count() or 1,
        help="number of processes; default: the number of processors",
    )


def _positive(argument: str) -> int:
    number = int(argument)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def grade(options: argparse.Namespace) -> int:
    """Grade the submissions, and write nbgrader's gradebook and autograded/.

    Run it in the course folder, as often as you like: it grades only what is new. Exit status: 0 everybody
    has a grade, 1 some could not be graded, 2 nothing could be run.
    """
    from autograder.grading.cluster import Cluster
    from autograder.grading.sandbox.sandbox import allowed_level
    from autograder.grading.workers import Pool

    with ExitStack() as stack:
        cluster = stack.enter_context(Cluster(options.cluster)) if options.cluster else None
        level = (cluster.allowed_level if cluster else allowed_level)(options.allow_weak_isolation)
        folder = None if options.folder is None else options.folder.resolve()
        pool = cluster.pool(level) if cluster else Pool(level, options.jobs)
        stack.enter_context(pool)
        # importing nbgrader takes two seconds, and the pool starts meanwhile
        from autograder.grading.course import Course
        from autograder.grading.nbgrader_plugins import limits_here
        from autograder.grading.run import ClassRun

        course = Course.here()
        pool.limit(limits_here(course))
        run = ClassRun(course, options.assignment, pool, options.student, folder, options.regrade)
        if run.unknown:
            raise Refusal(f"there is no student {', '.join(run.unknown)}.")
        return _run(run, options.json)


def _run(run: ClassRun, as_json: bool) -> int:
    progress = Progress(len(run.students))
    try:
        for row in run.rows():
            if as_json:
                say(json.dumps(row.to_json()), sys.stdout)
            progress.add(row, run.started)
    except KeyboardInterrupt:
        print("\nStopped; run the same command again to continue.", file=sys.stderr)
        return NOT_RUN
    for line in run.summary.lines():
        say(line, sys.stderr if as_json else sys.stdout)
    return DONE if run.summary.complete else INCOMPLETE


def say(line: str, stream: TextIO | None = None, start: str = "", end: str = "\n") -> None:
    """Print a line, to stdout if no stream is given.

    If stdout was closed or the disk is full, the command goes on without output.
    """
    to = stream or sys.stdout
    try:
        print(start + visible(line), end=end, file=to, flush=True)
    except OSError:
        discard_output(to)


def counted(things: Iterable[Thing], total: int, what: str) -> Iterator[Thing]:
    """Yield the things; on a terminal, say how many of them are done."""
    for number, thing in enumerate(things, 1):
        yield thing
        if sys.stderr.isatty():
            say(f"{number} of {total} {what}", sys.stderr, start="\r", end="\n" if number == total else "")


class Progress:
    """One line on stderr: students done, rate, time left, failures; rewritten in place on a terminal.

    The rate is that of the latest grades, from when all workers have started: until then it says nothing of
    the time that is left.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = self._failed = 0
        self._times: deque[float] = deque(maxlen=RATE_OF)
        self._last_time = 0.0

    def add(self, row: Row, started: bool = True) -> None:
        """Count a row and show the progress, at most ten times a second; every 5 s if it is no terminal.

        `started` says whether all workers grade.
        """
        now = time.monotonic()
        self._done += 1
        if started and row.score is not None and not row.again:
            self._times.append(now)
        self._failed += bool(row.fault or (row.reason and row.score is not None))
        terminal = sys.stderr.isatty()
        if now - self._last_time < (0.1 if terminal else 5.0) and self._done < self._total:
            return
        self._last_time = now
        pace = ""
        if len(self._times) >= RATE_FROM:
            rate = (len(self._times) - 1) / max(now - self._times[0], 1e-9)
            pace = f", {rate:.1f} a second, {_duration((self._total - self._done) / rate)} left"
        line = f"{self._done} of {self._total} students{pace}, {self._failed} failures"
        last = self._done == self._total
        if terminal:
            say(f"{line}  ", sys.stderr, start="\r", end="\n" if last else "")
        else:
            say(line, sys.stderr)


def _duration(seconds: float) -> str:
    """Return a rounded duration: an estimate has no more exact digits."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
