"""Exports grades to the platform's table, and feedback pages to an archive for its bulk upload."""

import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.platforms import moodle
from autograder.platforms.origins import Origin
from autograder.platforms.table import Table
from autograder.refusal import Refusal

_CANVAS_TITLE = re.compile(r".+ \((\d+)\)")


@dataclass
class Scores:
    """The gradebook's scores of an assignment by student, after late penalties."""

    out_of: float
    decided: dict[str, float] = field(default_factory=dict)
    undecided: list[str] = field(default_factory=list)


def scores(gradebook: Any, assignment: str) -> Scores:
    """Read the scores; a student with an undecided cell has none yet."""
    result = Scores(gradebook.find_assignment(assignment).max_score)
    for submission in gradebook.assignment_submissions(assignment):
        if submission.needs_manual_grade:
            result.undecided.append(submission.student.id)
        else:
            score = max(0.0, submission.score - (submission.late_submission_penalty or 0.0))
            result.decided[submission.student.id] = score
    return result


@dataclass
class FillResult:
    """The column and the number of written scores, and the students without a grade."""

    column: str
    count: int = 0
    without: list[str] = field(default_factory=list)


def fill(table: Table, students: Mapping[str, str], graded: Scores, column: str | None) -> FillResult:
    """Write the scores into the assignment's column; this changes the table itself.

    `students` has the student of each number of the platform. The cell of a student without a grade stays as
    it is. Raises Refusal if the column does not exist, or its points are not those of the assignment.
    """
    place = _column(table, column)
    filled = FillResult(table.header[place])
    largest = _largest(table, place)
    if largest is not None and abs(largest - graded.out_of) > 1e-9:
        raise Refusal(
            f"The column {table.header[place]} is out of {largest:g} points, and the assignment out of "
            f"{graded.out_of:g}: change the points there."
        )
    numbers = {person.number for person in table.people}
    for row in table.rows:
        number = _number(table, row)
        student = students.get(number)
        if number not in numbers:  # a row on points, or of Canvas's Test Student
            continue
        if student in graded.decided:
            row[place] = f"{graded.decided[student]:.2f}"
            filled.count += 1
        else:
            filled.without.append(student or number)
    return filled


def _number(table: Table, row: list[str]) -> str:
    if table.platform.name == moodle.NAME:
        return moodle.number_of(row[table.header.index(moodle.IDENTIFIER)])
    return row[table.header.index("ID")].strip()


def _column(table: Table, column: str | None) -> int:
    if table.platform.name == moodle.NAME:
        return table.header.index("Grade")
    titles = [title for title in table.header if _CANVAS_TITLE.fullmatch(title)]
    if column is not None:
        matches = [t for t in titles if column in (t, t.rpartition(" (")[0], _CANVAS_TITLE.fullmatch(t)[1])]  # type: ignore[index]
        if len(matches) == 1:
            return table.header.index(matches[0])
    choices = "; ".join(titles) or "there is none"
    raise Refusal(f"Choose a column with --column and its title or number. Assignments: {choices}.")


def _largest(table: Table, place: int) -> float | None:
    """Return the platform's maximum points, None if its table does not have them."""
    if table.platform.name == moodle.NAME:
        largest = {
            row[table.header.index("Maximum Grade")] for row in table.rows if "Maximum Grade" in table.header
        }
    else:
        largest = {row[place] for row in table.rows if row[0].strip() == "Points Possible"}
    try:
        return float(largest.pop().replace(",", ".")) if len(largest) == 1 else None
    except ValueError:
        return None


def pack(origins: Iterable[Origin], feedback: Mapping[str, list[Path]], archive: Path) -> int:
    """Write the feedback pages under the platform's names; return how many.

    `feedback` has the pages of each student. Canvas accepts a file whose name begins like that of the
    attachment, Moodle one in the download's folder.
    """
    packed = 0
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for row in origins:
            for page in feedback.get(row.student, ()):
                between = "/" if row.platform == moodle.NAME else ""
                name = f"{row.part}{between}{page.name}"
                if name not in opened.namelist():
                    opened.write(page, name)
                    packed += 1
    return packed
