"""Reads a platform's table, and writes it again without other changes."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from autograder.platforms import canvas
from autograder.platforms.canvas import CANVAS, GROUPS, Ids
from autograder.platforms.moodle import MOODLE
from autograder.platforms.people import Person, Platform
from autograder.refusal import Refusal
from vjpcheck import escaping

PLATFORMS = {platform.name: platform for platform in (CANVAS, MOODLE)}
_MARK = "\ufeff"  # at the beginning of a file that Excel is to read as UTF-8


@dataclass
class Table:
    """The cells of a CSV file, and the format of the file."""

    path: Path
    platform: Platform
    header: list[str]
    rows: list[list[str]]
    delimiter: str
    marked: bool

    @property
    def people(self) -> list[Person]:
        """Return the students of the table, without Canvas's Test Student."""
        everybody = self.platform.people(self.header, self.rows)
        return [person for person in everybody if not canvas.is_test_student(person)]

    @property
    def groups(self) -> list[tuple[Ids, str]]:
        """Return the members of groups, if this is a table of groups."""
        return canvas.groups(self.header, self.rows) if self.platform is GROUPS else []

    def text(self) -> str:
        """Return the table as CSV, in the format of the file."""
        file = io.StringIO()
        writer = csv.writer(file, delimiter=self.delimiter, lineterminator="\r\n")
        writer.writerows([self.header, *self.rows])
        return (_MARK if self.marked else "") + file.getvalue()


def read(path: Path) -> Table:
    """Read a gradebook or groups of Canvas, or a worksheet of Moodle; raises Refusal with the reason."""
    name = escaping.name(path.name)
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise Refusal(f"{name} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Refusal(f"{name} is not UTF-8: export it again as CSV.") from None
    marked = text.startswith(_MARK)
    text = text.removeprefix(_MARK)
    first = text.partition("\n")[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    try:
        header, *rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    except (csv.Error, ValueError):
        raise Refusal(f"{name} is not a table: export it again as CSV.") from None
    platform = next((one for one in (*PLATFORMS.values(), GROUPS) if one.is_table(header)), None)
    if platform is None:
        raise Refusal(
            f"{name} is neither a gradebook of Canvas (columns Student, ID, Section) nor its groups (columns "
            "canvas_user_id, group_name) nor a grading worksheet of Moodle (columns Identifier, Grade). In "
            "Moodle, set the language to English first."
        )
    short = next((place for place, row in enumerate(rows, 2) if len(row) != len(header)), None)
    if short is not None:
        raise Refusal(
            f"{name}: row {short} has a different number of columns than the first row; export it again."
        )
    return Table(path, platform, header, rows, delimiter, marked)
