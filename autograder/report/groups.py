"""Groups undecided work by exercise and reason, so that one decision settles many."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.report.classroom import Verdict, Work

_PLACE = re.compile(r" ?\((?:[^()]*, )?line \d+.*?\)(?=\.(?: |$)|$)|\bline \d+\b", re.DOTALL)


@dataclass(frozen=True)
class Group:
    """Work on one exercise that waits for the same reason; `name` stays the same from run to run."""

    name: str
    exercise: str
    why: str
    works: tuple[Work, ...]


def group(works: Iterable[Work]) -> list[Group]:
    """Return the groups of undecided work, the largest first; places in the code do not separate groups."""
    works_by_key: defaultdict[tuple[str, str], list[Work]] = defaultdict(list)
    for work in works:
        if work.verdict is Verdict.UNDECIDED:
            works_by_key[work.task.exercise, _PLACE.sub("", work.note)].append(work)
    groups = [
        Group(_name(*key), *key, tuple(sorted(shared, key=lambda work: work.student)))
        for key, shared in works_by_key.items()
    ]
    return sorted(groups, key=lambda one: (-len(one.works), one.exercise, one.why))


def _name(exercise: str, why: str) -> str:
    return hashlib.sha256(f"{exercise}\0{why}".encode()).hexdigest()[:6]
