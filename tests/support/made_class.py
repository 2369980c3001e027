"""A class on a learning platform, made up: who hands in what, and under which name the platform puts it.

The rules of the names and tables are those of the platforms' sources, written down here a second time:
instructure/canvas-lms (lib/content_zipper.rb, lib/gradebook_exporter.rb, and of its assignments
infer_comment_context_from_filename); moodle/moodle (mod/assign/feedback: file/importziplib.php, offline).
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from made_course import EXERCISES, NOTEBOOK

POINTS = {"kill_head": 4, "abs_product": 4, "affine": 3, "scale_rows": 4, "linear": 5}
WHEN = "Thursday, 7 November 2024, 11:00 PM"
FIRST = (
    *("Alpha", "Beta", "Gamma", "Delta", "Épsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa", "Lambda", "My"),
    *(
        "Ny",
        "Xi",
        "Omikron",
        "Pi",
        "Rho",
        "Sigma",
        "Tau",
        "Ypsilon",
        "Phi",
        "Chi",
        "Psi",
        "Omega",
        "One",
        "Two",
    ),
    *("Three", "Four", "Five", "Six"),
)
LAST = ("Quartz", "Opal", "Jade", "Beryl", "de Topaz", "O'Pyrite", "Feldspar-Mica", "Onyx", "Agate", "Zircon")


@dataclass
class Member:
    """A student: the platform's number, the name, what is right, and how it is handed in."""

    number: int
    first: str
    last: str
    right: tuple[str, ...] = EXERCISES
    files: list[tuple[str, bytes, bool]] = field(default_factory=list)  # name, content, late

    @property
    def score(self) -> float:
        return float(sum(POINTS[exercise] for exercise in self.right))

    @property
    def graded(self) -> bool:
        """Return whether there is a grade without anybody's decision."""
        return any(content.endswith(b"}") or content.startswith(b"PK") for _, content, _ in self.files)

    @property
    def email(self) -> str:
        return f"s{self.number}@example.org"


def members(count: int, notebook: Callable[[tuple[str, ...]], bytes]) -> list[Member]:
    """Make a class in which every tenth student or so does something that has gone wrong somewhere."""
    names = product(LAST, FIRST)
    made = []
    for place in range(count):
        last, first = next(names)
        right = EXERCISES[place % 3 :] if place % 4 else EXERCISES
        made.append(Member(1000 + 7 * place, first, last, right))
    made[1].first, made[1].last = made[0].first, made[0].last  # two of one name
    made[2].last = f"Jade_{made[3].number}"  # a name with another student's number in it
    for place, member in enumerate(made):
        work, older = notebook(member.right), notebook(())
        other = made[(place + 1) % count].number
        kind = place % 10 if place > 3 else 0
        if kind == 1:  # two attempts
            member.files = [(NOTEBOOK, older, False), (NOTEBOOK.replace(".", "-1."), work, False)]
        elif kind == 2:
            member.files = [(NOTEBOOK, older, False), (NOTEBOOK.replace(".", " (1)."), work, False)]
        elif kind == 3:
            member.files = [(NOTEBOOK, work, True)]
        elif kind == 4:
            member.files = [("my homework.ipynb", work, False)]
        elif kind == 5:  # claims to be somebody else
            member.files = [(f"quartzalpha_{other}_99999_{NOTEBOOK}", work, False)]
        elif kind == 6:
            inside = f"Somebody_{other}_assignsubmission_file_/{NOTEBOOK}"
            member.files = [("homework.zip", zipped({inside: work}), False)]
        elif kind == 7:
            member.right, member.files = (), []  # hands nothing in
        elif kind == 8:
            member.right, member.files = (), [("homework.pdf", b"%PDF-1.7", False)]
        elif kind == 9:
            member.right, member.files = (), [(NOTEBOOK, work[:100], False)]  # cut off
        else:
            member.files = [(NOTEBOOK, work, False)]
    return made


def zipped(files: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


def written(rows: list[list[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


class OnCanvas:
    """The class on Canvas; the assignment is number 44."""

    name, called = "canvas", "gradebook"
    title = "Exercises 4 (44)"

    def __init__(self, members: list[Member]) -> None:
        self.members = members
        self.attachments: dict[int, set[int]] = {}

    def student(self, member: Member) -> str:
        return str(member.number)

    def table(self) -> bytes:
        header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Exercises 3 (43)", self.title]
        points = ["    Points Possible", "", "", "", "", "20.00", "20.00"]
        rows = [
            [f"{m.last}, {m.first}", str(m.number), f"u{m.number}", m.email, "Section, 1", "12.00", ""]
            for m in self.members
        ]
        # the account of the teacher's student view comes last; its login is a hash
        rows.append(["Student, Test", "999999", "", "5f" * 20, "Section, 1", "", ""])
        totals = [["Current Score"], ["(read only)"], *([""] for _ in rows)]
        return written([a + b for a, b in zip([header, points, *rows], totals, strict=True)])

    def download(self) -> bytes:
        files, attachment = {}, 5000
        for member in self.members:
            sortable = re.sub(r"_(\d+)_", r"\1", f"{member.last}, {member.first}").lower()
            for name, content, late in member.files:
                attachment += 1
                self.attachments.setdefault(member.number, set()).add(attachment)
                parts = [sortable, "LATE" if late else None, str(member.number)]
                who = re.sub(r"[^\w]", "", "_".join(part for part in parts if part))
                files[f"{who}_{attachment}_{name}"] = content
        files[f"studenttest_999999_{attachment + 1}_{NOTEBOOK}"] = b"{}"
        return zipped(files)

    def grades(self, table: bytes) -> dict[int, str]:
        """Read the table as Canvas would: by ID and by the title of the assignment."""
        rows = list(csv.DictReader(io.StringIO(table.decode(), newline="")))
        return {
            int(row["ID"]): row[self.title] for row in rows if row["ID"] and row["Student"] != "Student, Test"
        }

    def receiver(self, path: str) -> int | None:
        """Return whom Canvas would give a file of an upload: by the first two numbers between underscores."""
        user, attachment = [part for part in path.split("_") if re.fullmatch(r"\d+", part)][:2]
        return int(user) if int(attachment) in self.attachments.get(int(user), ()) else None


class OnMoodle:
    """The class on Moodle, whose download has a folder for each student, or not."""

    name, called = "moodle", "worksheet"

    def __init__(self, members: list[Member], folders: bool = True) -> None:
        self.members = members
        self.folders = folders

    def student(self, member: Member) -> str:
        return member.email

    def table(self) -> bytes:
        header = ["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"]
        header += ["Grade can be changed", "Last modified (submission)", "Last modified (grade)"]
        rows = [
            [f"Participant {m.number}", f"{m.first} {m.last}", m.email, "", "", "20.00", "Yes", WHEN, "-"]
            for m in self.members
        ]
        return b"\xef\xbb\xbf" + written([header, *rows])

    def download(self) -> bytes:
        files = {}
        for member in self.members:
            prefix = f"{member.first} {member.last}".replace("_", " ") + f"_{member.number}"
            between = "_/" if self.folders else "_"
            for name, content, _late in member.files:
                files[f"{prefix}_assignsubmission_file{between}{name}"] = content
        return zipped(files)

    def grades(self, table: bytes) -> dict[int, str]:
        rows = list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"), newline="")))
        return {int(row["Identifier"].removeprefix("Participant ")): row["Grade"] for row in rows}

    def receiver(self, path: str) -> int | None:
        """Return whom Moodle would give a file of an upload, as its importer reads the parts of a path."""
        for part in path.split("/"):
            info = part.split("_", 4)
            known = len(info) >= 4 and info[1].isdigit() and info[2:4] == ["assignsubmission", "file"]
            if known and int(info[1]) in {member.number for member in self.members}:
                return int(info[1])
        return None


def unzip(path: Path) -> Iterator[tuple[str, str]]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            yield name, archive.read(name).decode()
