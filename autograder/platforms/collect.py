"""From a platform's download into submitted/: who is meant, which attempt counts, when it was handed in."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

from autograder.grading import archives
from autograder.grading.archives import File
from autograder.grading.submission import CannotRead
from autograder.platforms import download
from autograder.platforms.people import Claim, NotUsable, Person
from autograder.platforms.roster import Roster
from autograder.platforms.table import PLATFORMS
from vjpcheck import escaping

# what Canvas (-1) and browsers ( (1)) add to the name of a later upload
_LATER = re.compile(r"(?:-(?P<canvas>\d{1,3})| \((?P<browser>\d{1,3})\))$")
_ODD = re.compile(r"[\x00-\x1f/\\:*?\"<>|]+")
TIMESTAMP = "timestamp.txt"


@dataclass(frozen=True)
class Notebook:
    """A notebook of a student, and where it came from."""

    claim: Claim
    person: Person
    file: File

    @property
    def called(self) -> str:
        """The name without what an upload has added to it."""
        path = PurePosixPath(self._own_name())
        return f"{_LATER.sub('', path.stem)}.ipynb"

    @property
    def order(self) -> tuple[int, int, datetime]:
        """What is larger for a later upload: the platform's number, the number in the name, the time."""
        later = _LATER.search(PurePosixPath(self._own_name()).stem)
        number = int(later["canvas"] or later["browser"]) if later else 0
        return self.claim.order, number, self.file.when or datetime.min

    def _own_name(self) -> str:
        # of an archive of the student's own, the name within it; else what follows the platform's part
        own = self.claim.file if self.claim.file.lower().endswith(".ipynb") else self.file.path
        return _ODD.sub("_", PurePosixPath(own).name)[-100:]


@dataclass
class Collected:
    """What has been found: the notebooks that count, by student, and what the instructor is told."""

    counting: dict[str, list[Notebook]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


def find(downloads: Iterable[Path], roster: Roster, create: bool) -> tuple[Collected, list[Person]]:
    """Sort out the files of some downloads, and return with them who is new, which they may be if `create`.

    Raises NotUsable if no download can be read.
    """
    found, new = Collected(), dict[str, Person]()
    by_student: dict[str, list[Notebook]] = defaultdict(list)
    readable = False
    for path in downloads:
        try:
            within = list(download.files(path))
        except CannotRead as error:
            found.troubles.append(str(error))
            continue
        readable = True
        for file in within:
            who = _whose(file, roster, create)
            if who is None:
                found.strangers.append(escaping.name(file.path))
                continue
            claim, person = who
            if (person.platform, person.number) not in roster.people:
                new[person.student] = person
            try:
                notebooks = archives.notebooks(file)
            except CannotRead as error:
                found.troubles.append(f"{person.student}: {error}")
                continue
            by_student[person.student] += [Notebook(claim, person, one) for one in notebooks]
    if not readable:
        raise NotUsable(" ".join(found.troubles))
    for student, uploads in sorted(by_student.items()):
        found.counting[student] = list(_newest(student, uploads, found.remarks))
    return found, list(new.values())


def _whose(file: File, roster: Roster, create: bool) -> tuple[Claim, Person] | None:
    claims = [claim for platform in PLATFORMS.values() for claim in platform.claims(file.path)]
    known = roster.find(claims)
    if known is not None or not create or len(claims) != 1:
        return known
    (claim,) = claims
    student = claim.number if claim.platform == "canvas" else f"participant {claim.number}"
    return claim, Person(claim.platform, claim.number, student, claim.name)


def _newest(student: str, notebooks: list[Notebook], remarks: list[str]) -> Iterator[Notebook]:
    attempts: dict[str, list[Notebook]] = defaultdict(list)
    for notebook in notebooks:
        attempts[notebook.called].append(notebook)
    for called, uploads in sorted(attempts.items()):
        uploads.sort(key=lambda notebook: notebook.order)
        if len(uploads) > 1:
            newest = escaping.name(PurePosixPath(uploads[-1].file.path).name)
            times = f"{escaping.name(called)} was handed in {len(uploads)} times"
            remarks.append(f"{student}: {times}; the newest ({newest}) counts")
        yield uploads[-1]


def write(found: Collected, folder_of: dict[str, Path], due: datetime | None) -> None:
    """Write what counts into the students' folders, with a timestamp where the platform says when.

    A file that is there already and differs is replaced, which is remarked. A file that cannot be read does
    not count.
    """
    for student, notebooks in found.counting.items():
        folder, written = folder_of[student], list[Notebook]()
        for notebook in notebooks:
            try:
                content = notebook.file.read()
            except CannotRead as error:
                found.troubles.append(f"{student}: {error}")
                continue
            folder.mkdir(parents=True, exist_ok=True)
            target = folder / notebook.called
            if target.exists() and target.read_bytes() != content:
                found.remarks.append(f"{student}: {escaping.name(notebook.called)} replaces an earlier one")
            target.write_bytes(content)
            written.append(notebook)
        found.counting[student] = written
        _write_time(student, written, folder, due, found.remarks)


def _write_time(
    student: str, notebooks: list[Notebook], folder: Path, due: datetime | None, remarks: list[str]
) -> None:
    known = next((when for one in notebooks if (when := _parsed(one.person.submitted))), None)
    if known is None and any(one.claim.late for one in notebooks):
        if due is None:
            remarks.append(f"{student}: late according to the platform, but the assignment has no due date")
            return
        remarks.append(f"{student}: late according to the platform, without a time: counted as one second")
        known = due + timedelta(seconds=1)
    if known is not None and folder.is_dir():
        (folder / TIMESTAMP).write_text(f"{known:%Y-%m-%d %H:%M:%S} UTC\n")


def _parsed(when: str) -> datetime | None:
    """Return the time of a worksheet, such as `Thursday, 7 November 2024, 11:00 PM`, read as local time."""
    from nbgrader.utils import parse_utc

    try:
        return parse_utc(when).astimezone(UTC) if when else None
    except (ValueError, OverflowError):
        return None
