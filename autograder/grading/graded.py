"""What comes out of grading one submitted notebook: plain data that may travel between processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MIME = "application/vnd.write-your-own-backward.result+json"
METADATA = "write-your-own-backward"
FOR_INSTRUCTOR = "for_instructor"  # in the metadata of an output that no student gets


@dataclass(frozen=True)
class GradedCell:
    """The grade of one graded cell.

    `comment` is said to the student, beside the solution cell named `solution_id`; `remark` to the instructor
    alone. `result` is the JSON of the autograder's result with the isolation level, the seed and the remark.
    `needs_person` leaves the grade for the instructor to decide.
    """

    grade_id: str
    solution_id: str | None
    exercise: str
    score: float
    max_score: float
    needs_person: bool
    comment: str
    remark: str
    result: dict[str, Any]


@dataclass(frozen=True)
class Graded:
    """One graded notebook.

    `text` is the notebook for autograded/, as JSON, and `facts` is what it says of its grading: `key`, the
    hash of everything that the points depend on; `content`, the hash of what was handed in; the `points` of
    each cell; the cells that a person is `asked` about; `isolation`; the `reason` in a sentence why nothing
    could be run, or nothing; `notes` on what was odd.
    """

    notebook: str
    facts: dict[str, Any]
    level: str
    cells: tuple[GradedCell, ...]
    text: str
    reason: str
    notes: tuple[str, ...]
    seconds: float

    @property
    def score(self) -> float:
        """Return the points of all cells."""
        return sum(cell.score for cell in self.cells)

    @property
    def max_score(self) -> float:
        """Return the points that could be had."""
        return sum(cell.max_score for cell in self.cells)

    @property
    def needs_person(self) -> bool:
        """Return whether a grade is left for the instructor to decide."""
        return any(cell.needs_person for cell in self.cells)
