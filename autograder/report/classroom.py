"""A graded class as plain data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.grading.names import Misnamed

if TYPE_CHECKING:
    from autograder.report.similar import Alike


class Verdict(StrEnum):
    """The result of one student's work on one exercise; pages show these words."""

    RIGHT = "right"
    PARTLY = "partly right"
    WRONG = "wrong"
    UNTOUCHED = "not attempted"
    UNREADABLE = "could not be read"
    UNDECIDED = "for a person to decide"
    NOT_GRADED = "not graded yet"
    MISSING = "not handed in"

    @property
    def waits(self) -> bool:
        """Return whether a person must decide on the points."""
        return self in (Verdict.UNDECIDED, Verdict.UNREADABLE)


@dataclass(frozen=True)
class Task:
    """One graded cell of the assignment."""

    grade_id: str
    exercise: str
    points: float


@dataclass(frozen=True)
class ReportedFinding:
    """One finding of the autograder: a named mistake, or None, and its message."""

    mistake: str | None
    check: str
    message: str

    @property
    def label(self) -> str:
        """Return the mistake's name, or a short description."""
        if self.mistake:
            return self.mistake
        if re.search(r"\b(Syntax|Indentation|Tab)Error\b", self.message):
            return "syntax error"
        if re.search(r"\band (was|were) stopped\b", self.message):
            return "stopped at a limit"
        if self.message.startswith("There is no "):
            return "nothing to be graded"
        return f"{self.check}, without a name"


@dataclass(frozen=True)
class Work:
    """One student's work on one exercise; `note` explains the points.

    `never_ran` names, in sentences, the lines of the work that no check has reached.
    """

    student: str
    task: Task
    points: float
    verdict: Verdict
    findings: tuple[ReportedFinding, ...] = ()
    source: str = ""
    note: str = ""
    never_ran: tuple[str, ...] = ()

    @property
    def mistakes(self) -> tuple[str, ...]:
        """Return the named mistakes, each once, in the order in which they were found."""
        return tuple(dict.fromkeys(finding.mistake for finding in self.findings if finding.mistake))


@dataclass(frozen=True)
class Student:
    """A student: the gradebook's id, the name if there is one, and all words that could identify them."""

    id: str
    name: str = ""
    identity: tuple[str, ...] = ()


@dataclass(frozen=True)
class Classroom:
    """One assignment of a class: `works` has one entry for each student and each task.

    `earlier` has, for each student, the mistakes made in other assignments, with these assignments.
    `misnamed` are the folders of submissions whose names cannot be a student's id: they are not graded.
    `late_penalties` has the points that are taken off, and `remarks` notes on odd submissions, by student.
    `alike` has the groups of hand-ins that are alike, and the students whose work has the marks of solutions.
    """

    assignment: str
    tasks: tuple[Task, ...]
    students: tuple[Student, ...]
    works: tuple[Work, ...]
    instructors_cells: tuple[str, ...] = ()
    earlier: Mapping[str, Mapping[str, tuple[str, ...]]] | None = None
    misnamed: tuple[Misnamed, ...] = ()
    late_penalties: Mapping[str, float] = field(default_factory=dict)
    remarks: Mapping[str, str] = field(default_factory=dict)
    alike: tuple[Sequence[Alike], Sequence[str]] = ((), ())

    @property
    def max_score(self) -> float:
        """Return the points of all tasks together."""
        return sum(task.points for task in self.tasks)

    @cached_property
    def names(self) -> dict[str, str]:
        """Return what a page calls each student: the name, with the id if another has the same, or the id."""
        counts = Counter(student.name for student in self.students)
        return {
            s.id: (s.name if counts[s.name] == 1 else f"{s.name} ({s.id})") if s.name else s.id
            for s in self.students
        }

    def of(self, student: str) -> list[Work]:
        """Return the works of one student, in the order of the tasks."""
        return self._by_student.get(student, [])

    @cached_property
    def _by_student(self) -> dict[str, list[Work]]:
        works: dict[str, list[Work]] = {}
        for work in self.works:
            works.setdefault(work.student, []).append(work)
        return works

    def on(self, task: Task) -> list[Work]:
        """Return the works on one task, in the order of the students."""
        return [work for work in self.works if work.task == task]

    def score(self, student: str) -> float:
        """Return the points of one student, after the late penalty."""
        points = sum(work.points for work in self.of(student))
        return max(0.0, points - self.late_penalties.get(student, 0.0))

    def graded(self) -> list[Student]:
        """Return the students whose work has been graded."""
        without = {w.student for w in self.works if w.verdict in (Verdict.MISSING, Verdict.NOT_GRADED)}
        return [student for student in self.students if student.id not in without]

    def decided(self) -> list[Student]:
        """Return the graded students whose points do not wait for a person."""
        return [s for s in self.graded() if not any(work.verdict.waits for work in self.of(s.id))]
