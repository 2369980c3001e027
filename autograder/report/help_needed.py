"""Who needs help, and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from autograder.report.classroom import Classroom, Student, Verdict

LOW = 0.5  # of the points


@dataclass(frozen=True)
class Help:
    """A student who needs help, and every reason for saying so."""

    student: Student
    score: float
    reasons: tuple[str, ...]


def who_needs_help(classroom: Classroom) -> list[Help]:
    """Return the students with less than half of the points or with a mistake that repeats; lowest first."""
    found = []
    for student in classroom.students:
        reasons = tuple(_reasons(classroom, student))
        if reasons:
            found.append(Help(student, classroom.score(student.id), reasons))
    return sorted(found, key=lambda one: (one.score, one.student.id))


def _reasons(classroom: Classroom, student: Student) -> list[str]:
    works = classroom.of(student.id)
    verdicts = {work.verdict for work in works}
    if verdicts == {Verdict.MISSING}:
        return ["Handed in nothing."]
    if Verdict.NOT_GRADED in verdicts:
        return ["Handed in, but not graded yet."]
    if Verdict.UNREADABLE in verdicts:
        return [f"Could not be read: {next(w.note for w in works if w.verdict is Verdict.UNREADABLE)}"]
    reasons = []
    score = classroom.score(student.id)
    untouched = [work.task.exercise for work in works if work.verdict is Verdict.UNTOUCHED]
    if len(untouched) == len(works):
        return ["Handed in the assignment without changes."]
    if score < LOW * classroom.max_score:
        left = f"; not attempted: {', '.join(untouched)}" if untouched else ""
        reasons.append(f"{score:g} of {classroom.max_score:g} points{left}.")
    here = Counter(mistake for work in works for mistake in work.mistakes)
    earlier = (classroom.earlier or {}).get(student.id, {})
    for mistake, times in here.items():
        places = [work.task.exercise for work in works if mistake in work.mistakes]
        before = earlier.get(mistake, ())
        if times + len(before) > 1:
            also = f", and in assignment {', '.join(before)}" if before else ""
            reasons.append(f"Made {mistake} in {' and in '.join(places)}{also}.")
    return reasons
