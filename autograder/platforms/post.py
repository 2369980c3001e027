"""Out again: grades into a platform's own table, feedback pages into an archive for its bulk upload."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.platforms import moodle
from autograder.platforms.collected import Taken
from autograder.platforms.people import NotUsable
from autograder.platforms.table import Table

_CANVAS_TITLE = re.compile(r".+ \((\d+)\)")


@dataclass
class Scores:
    """The scores of an assignment by student, as the gradebook has them, late penalties taken off."""

    out_of: float
    decided: dict[str, float] = field(default_factory=dict)
    undecided: list[str] = field(default_factory=list)


def scores(gradebook: Any, assignment: str) -> Scores:
    """Read the scores; a student for whom a person has still to decide a cell has none yet."""
    found = Scores(gradebook.find_assignment(assignment).max_score)
    for submission in gradebook.assignment_submissions(assignment):
        if submission.needs_manual_grade:
            found.undecided.append(submission.student.id)
        else:
            score = max(0.0, submission.score - (submission.late_submission_penalty or 0.0))
            found.decided[submission.student.id] = score
    return found


@dataclass
class Filled:
    """What was written into a table, and who of it has no grade."""

    column: str
    written: int = 0
    without: list[str] = field(default_factory=list)


def fill(table: Table, students: Mapping[str, str], graded: Scores, column: str | None) -> Filled:
    """Write the scores into the column of the assignment, in the table itself.

    `students` has the student of each number of the platform. A cell whose student has no grade stays as it
    is. Raises NotUsable if the column is not to be found, or its points are not those of the assignment.
    """
    place = _column(table, column)
    filled = Filled(table.header[place])
    largest = _largest(table, place)
    if largest is not None and abs(largest - graded.out_of) > 1e-9:
        raise NotUsable(
            f"The column {table.header[place]} is out of {largest:g} points, and the assignment out of "
            f"{graded.out_of:g}: change the points there."
        )
    for row in table.rows:
        number = _number(table, row)
        student = students.get(number)
        if student in graded.decided:
            row[place] = f"{graded.decided[student]:.2f}"
            filled.written += 1
        elif number:
            filled.without.append(student or number)
    return filled


def _number(table: Table, row: list[str]) -> str:
    if table.platform.name == moodle.NAME:
        return moodle.number_of(row[table.header.index(moodle.IDENTIFIER)])
    number = row[table.header.index("ID")].strip()
    return number if number.isdigit() else ""


def _column(table: Table, column: str | None) -> int:
    if table.platform.name == moodle.NAME:
        return table.header.index("Grade")
    titles = [title for title in table.header if _CANVAS_TITLE.fullmatch(title)]
    if column is not None:
        meant = [t for t in titles if column in (t, t.rpartition(" (")[0], _CANVAS_TITLE.fullmatch(t)[1])]  # type: ignore[index]
        if len(meant) == 1:
            return table.header.index(meant[0])
    known = "; ".join(titles) or "there is none"
    raise NotUsable(f"Choose a column with --column and its title or number. Assignments: {known}.")


def _largest(table: Table, place: int) -> float | None:
    """Return the points that the platform gives at most, None where its table does not say."""
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


def pack(taken: Iterable[Taken], feedback: Mapping[str, list[Path]], archive: Path) -> int:
    """Write the feedback pages under the names that the platform knows; return how many.

    `feedback` has the pages of each student. Canvas takes back a file whose name begins as that of the
    attachment did, Moodle one in the folder that the download had.
    """
    packed = 0
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for row in taken:
            for page in feedback.get(row.student, ()):
                between = "/" if row.platform == moodle.NAME else ""
                name = f"{row.part}{between}{page.name}"
                if name not in opened.namelist():
                    opened.write(page, name)
                    packed += 1
    return packed
