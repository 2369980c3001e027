"""Ranks the mistakes of a class, with an example without its author, and the lessons to repeat."""

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
    """The autograder's message about a student's work, and the work; neither identifies the student."""

    exercise: str
    message: str
    source: str


@dataclass(frozen=True)
class Ranking:
    """A mistake, its students and exercises, why it matters, its lessons and one example."""

    mistake: str
    students: tuple[str, ...]
    exercises: tuple[str, ...]
    why: str
    lessons: tuple[int, ...]
    example: Example | None


@dataclass(frozen=True)
class Repetition:
    """A lesson to repeat: its title, how many students it would help, and the mistakes that it explains."""

    title: str
    students: int
    mistakes: tuple[str, ...]


def rank(classroom: Classroom) -> list[Ranking]:
    """Return the mistakes, the most frequent first.

    Mistakes without a name come last, separated by check, as 'gradient, without a name'. There is an example
    only if so many students share the mistake that the example identifies none of them.
    """
    occurrences: defaultdict[str, list[tuple[Work, ReportedFinding]]] = defaultdict(list)
    for work in classroom.works:
        for finding in work.findings:
            occurrences[finding.label].append((work, finding))
    anonymiser = Anonymiser(classroom)
    ranked = [_ranked(classroom, mistake, works, anonymiser) for mistake, works in occurrences.items()]
    return sorted(ranked, key=lambda one: (one.mistake not in MISTAKES, -len(one.students), one.mistake))


def _ranked(
    classroom: Classroom, mistake: str, works: list[tuple[Work, ReportedFinding]], hider: Anonymiser
) -> Ranking:
    tasks = {work.task for work, _ in works}
    exercises = tuple(task.exercise for task in classroom.tasks if task in tasks)
    lessons = {lesson_of(mistake, exercise) for exercise in exercises} - {None}
    explanation = MISTAKES.get(mistake)
    return Ranking(
        mistake,
        tuple(dict.fromkeys(work.student for work, _ in works)),
        exercises,
        explanation.why if explanation else "",
        tuple(sorted(lesson for lesson in lessons if lesson is not None)),
        _example(works, hider) if len({work.student for work, _ in works}) >= SHARED_BY_AT_LEAST else None,
    )


def _example(works: list[tuple[Work, ReportedFinding]], anonymiser: Anonymiser) -> Example:
    """Return the shortest example that can be shown, as it shows the mistake best."""
    best = None
    candidates = [one for one in works if one[0].source] or works[:1]
    for work, finding in sorted(
        candidates, key=lambda one: (len(one[0].source), one[0].source, one[1].message)
    ):
        source, message = anonymiser.example(work.source, finding.message)
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


def lessons_to_repeat(ranked: list[Ranking]) -> list[Repetition]:
    """Return the lessons that explain the mistakes, those that help most students first."""
    students: defaultdict[int, set[str]] = defaultdict(set)
    mistakes: defaultdict[int, list[str]] = defaultdict(list)
    for one in ranked:
        for lesson in one.lessons if one.mistake in MISTAKES else ():
            students[lesson] |= set(one.students)
            mistakes[lesson].append(one.mistake)
    lessons = sorted(students, key=lambda lesson: (-len(students[lesson]), lesson))
    return [Repetition(title(lesson), len(students[lesson]), tuple(mistakes[lesson])) for lesson in lessons]
