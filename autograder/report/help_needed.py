"""Finds the students who need help, with the reasons."""

from collections import Counter
from dataclasses import dataclass

from autograder.report.classroom import Classroom, Student, Verdict

LOW = 0.5  # of the points


@dataclass(frozen=True)
class Help:
    """A student who needs help, and all reasons."""

    student: Student
    score: float
    reasons: tuple[str, ...]


def find_help_needed(classroom: Classroom) -> list[Help]:
    """Return the students with less than half of the points or with a mistake that repeats; lowest first.

    Points count before a late penalty, and undecided work as if it had all.
    """
    students = []
    for student in classroom.students:
        reasons = tuple(_reasons(classroom, student))
        if reasons:
            students.append(Help(student, classroom.score(student.id), reasons))
    return sorted(students, key=lambda one: (one.score, one.student.id))


def _reasons(classroom: Classroom, student: Student) -> list[str]:
    works = classroom.of(student.id)
    verdicts = {work.verdict for work in works}
    if verdicts == {Verdict.MISSING}:
        return [works[0].note or "Handed in nothing."]
    if Verdict.NOT_GRADED in verdicts:
        return ["Handed in, but not graded yet."]
    if Verdict.UNREADABLE in verdicts:
        return [f"Could not be read: {next(w.note for w in works if w.verdict is Verdict.UNREADABLE)}"]
    reasons = []
    score = sum(work.points for work in works)  # a late penalty is no want of understanding
    at_most = score + sum(work.task.points - work.points for work in works if work.verdict.waits)
    untouched = [work.task.exercise for work in works if work.verdict is Verdict.UNTOUCHED]
    if len(untouched) == len(works):
        return ["Handed in the assignment without changes."]
    if at_most < LOW * classroom.max_score:
        skipped = f"; not attempted: {', '.join(untouched)}" if untouched else ""
        late = " before the late penalty" if student.id in classroom.late_penalties else ""
        reasons.append(f"{score:g} of {classroom.max_score:g} points{late}{skipped}.")
    counts = Counter(mistake for work in works for mistake in work.mistakes)
    earlier = (classroom.earlier or {}).get(student.id, {})
    for mistake, times in counts.items():
        places = [work.task.exercise for work in works if mistake in work.mistakes]
        assignments = earlier.get(mistake, ())
        if times + len(assignments) > 1:
            also = f", and in assignment {', '.join(assignments)}" if assignments else ""
            reasons.append(f"Made {mistake} in {' and in '.join(places)}{also}.")
    return reasons
