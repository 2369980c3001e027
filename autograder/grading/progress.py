"""Tells the instructor how a run goes and how it went."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import TextIO

from autograder.grading.run import Row, Summary
from autograder.silence import silence


def say(line: str, stream: TextIO, end: str = "\n") -> None:
    """Print a line; where nobody reads it any more, or it cannot be written, the grading goes on silently."""
    try:
        print(line, end=end, file=stream, flush=True)
    except OSError:
        silence(stream)


class Progress:
    """One line on stderr: students done, rate, failures so far; rewritten where it is a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._start = time.monotonic()
        self._done = self._graded = self._failed = 0
        self._shown = 0.0

    def add(self, row: Row) -> None:
        """Count a row and show where the run is, some times a second at most."""
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
    """Yield the summary: a line for the class, then those that somebody has to look at."""
    rows = summary.rows
    scored = [row for row in rows if row.score is not None]
    fresh = sum(not row.again for row in scored)
    before = f" ({len(scored) - fresh} of them before)" if fresh < len(scored) else ""
    yield (
        f"{summary.assignment}: {len(scored)} of {len(rows)} students graded{before} in "
        f"{summary.seconds:.1f} s, isolation: {summary.level}."
    )
    if summary.level.weak:
        yield summary.level.told
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
