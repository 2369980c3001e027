"""The command `autograder grade`, its progress line and its summary."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from autograder.broken_pipe import discard_output

if TYPE_CHECKING:
    from autograder.grading.run import ClassRun, Row, Summary

DONE, SOME_LEFT, NOT_RUN = 0, 1, 2


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "grade",
        help="grade a class",
        description=(
            "Grades what was handed in, into nbgrader's gradebook and autograded/. Run it in the course's "
            "folder, as often as you like: what is done is not done again. Exit status: 0 everybody has a "
            "grade, 1 some could not be graded, 2 nothing could be run."
        ),
    )
    parser.add_argument(
        "assignment", metavar="ASSIGNMENT", help="its folder's name, such as 04-first-function"
    )
    parser.add_argument(
        "--from",
        dest="folder",
        metavar="FOLDER",
        type=Path,
        help="notebooks named by student, or folders like those of submitted/, which it is if left out",
    )
    parser.add_argument(
        "--student",
        metavar="ID",
        action="append",
        default=[],
        help="grade this student only; may be repeated",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs",
        metavar="N",
        type=_positive,
        default=os.cpu_count() or 1,
        help="processes; as many as there are processors if left out",
    )
    where.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="grade on the workers of the Dask scheduler at ADDRESS, such as tcp://10.0.0.1:8786",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a student, a line each")
    parser.add_argument(
        "--allow-weak-isolation",
        action="store_true",
        help="grade where submissions cannot be isolated; each grade's comment says so",
    )


def _positive(given: str) -> int:
    number = int(given)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def grade(options: argparse.Namespace) -> int:
    """Grade a class and return the exit status."""
    from autograder.grading.assignment import WrongAssignment
    from autograder.grading.cluster import Cluster, NoCluster
    from autograder.grading.sandbox.levels import TooWeak
    from autograder.grading.sandbox.sandbox import SandboxFailed, allowed_level
    from autograder.grading.workers import Pool

    with ExitStack() as stack:
        try:
            cluster = stack.enter_context(Cluster(options.cluster)) if options.cluster else None
            level = (cluster.allowed_level if cluster else allowed_level)(options.allow_weak_isolation)
            folder = None if options.folder is None else options.folder.resolve()
            pool = cluster.pool(level) if cluster else Pool(level, options.jobs)
            stack.enter_context(pool)
            # nbgrader takes two seconds to import, in which the pool gets ready
            from autograder.grading.course import Course
            from autograder.grading.run import ClassRun

            run = ClassRun(Course.here(), options.assignment, pool, options.student, folder)
        except (NoCluster, TooWeak, WrongAssignment, SandboxFailed) as refusal:
            print(f"autograder: {refusal}", file=sys.stderr)
            return NOT_RUN
        if run.unknown:
            print(f"autograder: there is no student {', '.join(run.unknown)}.", file=sys.stderr)
            return NOT_RUN
        return _run(run, options.json)


def _run(run: ClassRun, as_json: bool) -> int:
    progress = Progress(len(run.students))
    try:
        for row in run.rows():
            if as_json:
                say(json.dumps(row.to_json()), sys.stdout)
            progress.add(row)
    except KeyboardInterrupt:
        print("\nStopped; the same command goes on from here.", file=sys.stderr)
        return NOT_RUN
    for line in lines(run.summary):
        say(line, sys.stderr if as_json else sys.stdout)
    return SOME_LEFT if any(row.fault for row in run.summary.rows) else DONE


def say(line: str, stream: TextIO, end: str = "\n") -> None:
    """Print a line; if the reader has gone or the disk is full, grading goes on without output."""
    try:
        print(line, end=end, file=stream, flush=True)
    except OSError:
        discard_output(stream)


class Progress:
    """One line on stderr: students done, rate, failures so far; rewritten in place on a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._start = time.monotonic()
        self._done = self._graded = self._failed = 0
        self._shown = 0.0

    def add(self, row: Row) -> None:
        """Count a row and show the progress, at most ten times a second; every 5 s if it is no terminal."""
        self._done += 1
        self._graded += row.score is not None and not row.again
        self._failed += bool(row.fault or (row.reason and row.score is not None))
        now = time.monotonic()
        terminal = sys.stderr.isatty()
        if now - self._shown < (0.1 if terminal else 5.0) and self._done < self._total:
            return
        self._shown = now
        rate = self._graded / max(now - self._start, 1e-9)
        line = f"{self._done} of {self._total} students, {rate:.1f} a second, {self._failed} failures"
        last = self._done == self._total
        say(f"\r{line}  " if terminal else line, sys.stderr, end="" if terminal and not last else "\n")


def lines(summary: Summary) -> Iterator[str]:
    """Yield the summary: one line for the class, then the students that need the instructor's attention."""
    rows = summary.rows
    scored = [row for row in rows if row.score is not None]
    fresh = sum(not row.again for row in scored)
    before = f" ({len(scored) - fresh} of them before)" if fresh < len(scored) else ""
    yield (
        f"{summary.assignment}: {len(scored)} of {len(rows)} students graded{before} in "
        f"{summary.seconds:.1f} s, isolation: {summary.level}."
    )
    if summary.level.weak:
        yield summary.level.meaning
    if scored:
        mean = sum(row.score or 0.0 for row in scored) / len(scored)
        full = sum(row.score == row.max_score for row in scored)
        yield f"Mean {mean:.1f} of {scored[0].max_score:g} points; {full} have all of them."
    for title, which in (
        ("Left for you to decide (nbgrader's formgrader shows them)", [r for r in rows if r.needs_person]),
        ("Could not be run, and have 0 points", [r for r in scored if r.reason]),
        ("Not graded; the next run tries again", [r for r in rows if r.fault]),
        ("Without a submission", [r for r in rows if r.score is None and not r.fault]),
    ):
        if which:
            yield f"{title}:"
            for row in sorted(which, key=lambda row: row.student):
                said = row.fault or ", ".join(row.needs_person) or row.reason
                yield f"  {row.student}: {said}"
