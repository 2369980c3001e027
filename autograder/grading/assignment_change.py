"""Finds changes of an assignment that already has grades, and refuses those that nbgrader cannot follow."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.grading.assignment import WrongAssignment
from autograder.grading.gradebook import Book
from autograder.grading.gradebook_queries import decided_by_hand, submissions

LISTED_AT_MOST = 20


@dataclass
class Change:
    """The difference between the gradebook and the sources: cells by grade_id, and points before and now."""

    assignment: str
    students: int
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    points: dict[str, tuple[float, float]] = field(default_factory=dict)
    by_hand: list[tuple[str, str, float]] = field(default_factory=list)

    def refuse(self) -> None:
        """Raise WrongAssignment if cells were added or removed, which nbgrader's gradebook cannot follow."""
        if not self.students or not (self.added or self.removed):
            return
        changes = ((self.added, "added"), (self.removed, "removed"))
        what = [f"{', '.join(cells)} {verb}" for cells, verb in changes if cells]
        listed = [f"{student} {cell} {points:g}" for student, cell, points in self.by_hand[:LISTED_AT_MOST]]
        more = len(self.by_hand) - LISTED_AT_MOST
        listed += [f"and {more} more"][: more > 0]
        lost_points = f" Points given by hand, which are lost: {'; '.join(listed)}." if listed else ""
        raise WrongAssignment(
            f"{self.assignment} has grades of {self.students} students, and its cells have changed since "
            f"({'; '.join(what)}). The gradebook cannot follow that. Either undo the change, or copy "
            f"gradebook.db and run `nbgrader db assignment remove {self.assignment} --force`. That "
            "forgets all grades of the assignment, its due date and extensions; set the due date again, "
            f"and grade again.{lost_points}"
        )

    @property
    def remarks(self) -> list[str]:
        """Return sentences for the instructor about changed points."""
        if not self.students:
            return []
        changed_points = [
            f"{cell} is worth {now:g} points now, {before:g} before: all submissions are graded again."
            for cell, (before, now) in self.points.items()
        ]
        too_many = [
            f"{student} has {points:g} points by hand for {cell}, which is worth {self.points[cell][1]:g}: "
            "correct it in the formgrader."
            for student, cell, points in self.by_hand
            if cell in self.points and points > self.points[cell][1]
        ]
        return changed_points + too_many


def find_change(book: Book, sources: Iterable[Path]) -> Change:
    """Compare the sources with the gradebook's record of them."""
    change = Change(book.assignment, submissions(book), by_hand=decided_by_hand(book))
    for path in sources:
        now = _marked(path)
        before = book.released.get(path.stem, {})
        change.added += sorted(now.keys() - before.keys())
        change.removed += sorted(before.keys() - now.keys())
        for cell, points in book.points.get(path.stem, {}).items():
            if cell in now and now[cell] != points:
                change.points[cell] = points, now[cell]
    return change


def _marked(path: Path) -> dict[str, float]:
    """Return the points of each cell that nbgrader records, by grade_id; 0 for one that is not graded."""
    cells = json.loads(path.read_bytes())["cells"]
    marked: list[Mapping[str, Any]] = [cell["metadata"].get("nbgrader", {}) for cell in cells]
    return {one["grade_id"]: float(one.get("points", 0)) for one in marked if is_recorded(one)}


def is_recorded(marked: Mapping[str, Any]) -> bool:
    """Return whether nbgrader's gradebook has a cell with these marks."""
    return any(marked.get(name) for name in ("grade", "solution", "locked", "task"))
