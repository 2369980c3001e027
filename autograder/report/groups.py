"""Groups undecided work by exercise and reason, so that one decision settles many."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.report.classroom import Verdict, Work

EVERY = "all exercises"
_PLACE = re.compile(r" ?\((?:[^()]*, )?line \d+.*?\)(?=\.(?: |$)|$)|\bline \d+\b", re.DOTALL)


@dataclass(frozen=True)
class Group:
    """Work on one exercise that waits for the same reason; `name` stays the same from run to run.

    Of notebooks that could not be read, the work on all exercises is one group.
    """

    name: str
    exercise: str
    why: str
    works: tuple[Work, ...]

    @property
    def students(self) -> dict[str, tuple[float, float]]:
        """Return the points now and the points possible of each student."""
        students: dict[str, tuple[float, float]] = {}
        for work in self.works:
            now, possible = students.get(work.student, (0.0, 0.0))
            students[work.student] = now + work.points, possible + work.task.points
        return students


def group(works: Iterable[Work]) -> list[Group]:
    """Return the groups of undecided work, the largest first; places in the code do not separate groups."""
    works_by_key: defaultdict[tuple[str, str], list[Work]] = defaultdict(list)
    for work in works:
        if work.verdict.waits:
            exercise = EVERY if work.verdict is Verdict.UNREADABLE else work.task.exercise
            works_by_key[exercise, _PLACE.sub("", work.note)].append(work)
    groups = [
        Group(_name(*key), *key, tuple(sorted(shared, key=lambda work: work.student)))
        for key, shared in works_by_key.items()
    ]
    return sorted(groups, key=lambda one: (-len(one.students), one.exercise, one.why))


def _name(exercise: str, why: str) -> str:
    return hashlib.sha256(f"{exercise}\0{why}".encode()).hexdigest()[:6]
