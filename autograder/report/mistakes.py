"""The mistakes of a class: how many made each, one example without its author, and what to teach again."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from autograder.report.anonymise import Anonymiser
from autograder.report.classroom import Classroom, ReportedFinding, Work
from autograder.report.lessons import lesson_of, title
from vjpcheck.mistakes import MISTAKES

LINES_AT_MOST = 40
SHARED_BY_AT_LEAST = 3  # students, for an example


@dataclass(frozen=True)
class Example:
    """What the autograder said of a student's work, and the work; neither says whose it is."""

    exercise: str
    message: str
    source: str


@dataclass(frozen=True)
class Ranked:
    """A mistake, who made it, in which exercises, why it matters and one example."""

    mistake: str
    students: tuple[str, ...]
    exercises: tuple[str, ...]
    why: str
    lessons: tuple[int, ...]
    example: Example | None


@dataclass(frozen=True)
class Teach:
    """A lesson worth a second look: how many students it would serve, and which mistakes it is about."""

    title: str
    students: int
    mistakes: tuple[str, ...]


def rank(classroom: Classroom) -> list[Ranked]:
    """Return the mistakes, those that most students made first.

    What has no name comes last, told apart by its check, as 'gradient, without a name'. An example is shown
    only where so many students share the mistake that it says nothing about one of them.
    """
    found: defaultdict[str, list[tuple[Work, ReportedFinding]]] = defaultdict(list)
    for work in classroom.works:
        for finding in work.findings:
            found[finding.called].append((work, finding))
    hidden = Anonymiser(classroom)
    ranked = [_ranked(classroom, mistake, made, hidden) for mistake, made in found.items()]
    return sorted(ranked, key=lambda one: (one.mistake not in MISTAKES, -len(one.students), one.mistake))


def _ranked(
    classroom: Classroom, mistake: str, made: list[tuple[Work, ReportedFinding]], hidden: Anonymiser
) -> Ranked:
    where = {work.task for work, _ in made}
    exercises = tuple(task.exercise for task in classroom.tasks if task in where)
    lessons = {lesson_of(mistake, exercise) for exercise in exercises} - {None}
    known = MISTAKES.get(mistake)
    return Ranked(
        mistake,
        tuple(dict.fromkeys(work.student for work, _ in made)),
        exercises,
        known.why if known else "",
        tuple(sorted(lesson for lesson in lessons if lesson is not None)),
        _example(made, hidden) if len({work.student for work, _ in made}) >= SHARED_BY_AT_LEAST else None,
    )


def _example(made: list[tuple[Work, ReportedFinding]], hidden: Anonymiser) -> Example:
    """Return the shortest example that can be shown: there the mistake is seen best."""
    best = None
    candidates = [one for one in made if one[0].source] or made[:1]
    for work, finding in sorted(
        candidates, key=lambda one: (len(one[0].source), one[0].source, one[1].message)
    ):
        source, message = hidden.example(work.source, finding.message)
        best = best or Example(work.task.exercise, message, "")
        if source:
            best = Example(work.task.exercise, message, source)
            break
    assert best is not None
    lines = best.source.splitlines()
    if len(lines) > LINES_AT_MOST:
        cut = [*lines[:LINES_AT_MOST], f"# {len(lines) - LINES_AT_MOST} more lines"]
        return Example(best.exercise, best.message, "\n".join(cut))
    return best


def teach_again(ranked: list[Ranked]) -> list[Teach]:
    """Return the lessons that teach what was done wrong, those that serve most students first."""
    students: defaultdict[int, set[str]] = defaultdict(set)
    mistakes: defaultdict[int, list[str]] = defaultdict(list)
    for one in ranked:
        for lesson in one.lessons if one.mistake in MISTAKES else ():
            students[lesson] |= set(one.students)
            mistakes[lesson].append(one.mistake)
    lessons = sorted(students, key=lambda lesson: (-len(students[lesson]), lesson))
    return [Teach(title(lesson), len(students[lesson]), tuple(mistakes[lesson])) for lesson in lessons]
