"""The results of a run: a row for each student, and a summary with the students that need attention."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.grading.names import RULE, Misnamed, called
from autograder.grading.sandbox.levels import Level

LISTED_AT_MOST = 20  # students under one heading; the report has all
UNDECIDED = "Left for you to decide (`autograder decide` groups them, nbgrader's formgrader shows each)"
NOT_RUN = "Could not be run, and have no grade until you decide"
REMARKED = "Graded, with a remark"
LATE = "Late, with a penalty"
FAULTS = "Not finished; the next run tries again"
WITHOUT = "Without a submission"


@dataclass(frozen=True)
class Row:
    """A student's result: a score (and a reason, if nothing could be run), or only a reason.

    `score` is the gradebook's, after the late penalty. `notes` name oddities of the submission. `again` is
    true for a grade of an earlier run. `fault` is the autograder's: the next run tries once more.
    """

    student: str
    score: float | None = None
    max_score: float = 0.0
    late_penalty: float = 0.0
    needs_person: tuple[str, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()
    fault: str = ""
    again: bool = False
    isolation: str = ""
    cells: tuple[dict[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the row as the object that `autograder grade --json` prints."""
        lists = {name: list(getattr(self, name)) for name in ("needs_person", "notes", "cells")}
        return {**vars(self), **lists}

    @property
    def attention(self) -> Iterator[tuple[str, str]]:
        """Yield the headings under which the student is listed, with the text there."""
        if self.needs_person:
            yield (NOT_RUN, self.reason) if self.reason else (UNDECIDED, ", ".join(self.needs_person))
        if self.score is not None and self.notes:
            yield REMARKED, " ".join(self.notes)
        if self.late_penalty:
            yield LATE, f"{self.late_penalty:g} points taken off"
        if self.fault:
            yield FAULTS, self.fault
        elif self.score is None:
            yield WITHOUT, self.reason


@dataclass
class Summary:
    """Counts the rows of a run as they come. It keeps no row, so a large class takes no more memory."""

    assignment: str
    level: Level
    names: Mapping[str, str] = field(default_factory=dict)
    misnamed: Sequence[Misnamed] = ()
    remarks: Sequence[str] = ()
    seconds: float = 0.0
    students: int = 0
    graded: int = 0
    before: int = 0
    decided: int = 0
    points: float = 0.0
    full: int = 0
    max_score: float = 0.0
    faults: int = 0
    listed: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    counts: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, row: Row) -> Row:
        """Count a row, and return it."""
        self.students += 1
        self.faults += bool(row.fault)
        if row.score is not None:
            self.graded += 1
            self.before += row.again
            self.max_score = row.max_score
            if not row.needs_person:
                self.decided += 1
                self.points += row.score
                self.full += row.score == row.max_score
        for heading, text in row.attention:
            self.counts[heading] += 1
            if len(self.listed[heading]) < LISTED_AT_MOST:
                self.listed[heading].append((row.student, text))
        return row

    @property
    def complete(self) -> bool:
        """Return whether everybody who has handed in has a grade."""
        return not (self.misnamed or self.faults)

    def lines(self) -> Iterator[str]:
        """Yield one line for the class, then the students that need the instructor's attention."""
        yield from self.remarks
        everybody = self.students + len(self.misnamed)
        before = f" ({self.before} of them before)" if self.before else ""
        yield (
            f"{self.assignment}: {self.graded} of {everybody} students graded{before} in "
            f"{self.seconds:.1f} s, isolation: {self.level}."
        )
        if self.level.weak:
            yield self.level.meaning
        waiting = self.graded - self.decided
        left_out = f" Left out: {waiting} with undecided points." if waiting else ""
        if self.decided:
            mean = f"Mean {self.points / self.decided:.1f} of {self.max_score:g} points"
            yield f"{mean}; {self.full} have all of them.{left_out}"
        for heading in (UNDECIDED, NOT_RUN, REMARKED, LATE, FAULTS, WITHOUT):
            if not self.counts[heading]:
                continue
            yield f"{heading}:"
            for student, text in sorted(self.listed[heading]):
                yield f"  {called(student, self.names)}: {text}"
            if more := self.counts[heading] - len(self.listed[heading]):
                yield f"  and {more} more; the report and --json have all"
        if self.misnamed:
            text = "Not graded, because the name is not a valid student id; rename it and run this again."
            yield f"{text} {RULE}:"
            yield from (f"  {one.name}: {one.why}" for one in self.misnamed)
