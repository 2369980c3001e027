"""The result of grading one submitted notebook: plain data that may travel between processes."""

from dataclasses import dataclass
from typing import Any

MIME = "application/vnd.write-your-own-backward.result+json"
METADATA = "write-your-own-backward"
FOR_INSTRUCTOR = "for_instructor"  # in the metadata of an output that no student gets


@dataclass(frozen=True)
class CellGrade:
    """The grade of one graded cell.

    `comment` is for the student, beside the solution cell named `solution_id`; `remark` is for the instructor
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
class NotebookGrade:
    """One graded notebook.

    `text` is the notebook for autograded/, as JSON. Its metadata has `facts`: `key`, the hash of everything
    that the points depend on; `content`, the hash of the submission; the `points` of each cell; the cells
    that a person is `asked` about; `isolation`; the `reason` in a sentence why nothing could be run, or '';
    `notes` on oddities of the submission.
    """

    notebook: str
    facts: dict[str, Any]
    level: str
    cells: tuple[CellGrade, ...]
    text: str
    reason: str
    notes: tuple[str, ...]
    seconds: float

    @property
    def score(self) -> float:
        """Return the points of all cells."""
        return sum(cell.score for cell in self.cells)

    @property
    def needs_person(self) -> bool:
        """Return whether the instructor must decide on a grade."""
        return any(cell.needs_person for cell in self.cells)
