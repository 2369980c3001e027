"""Copies a platform's download to submitted/: finds each file's student, the newest attempt and its time."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from zoneinfo import ZoneInfo

from autograder.grading import archives
from autograder.grading.archives import File
from autograder.grading.exchange import TIMESTAMP
from autograder.grading.submission import CannotRead
from autograder.platforms import download
from autograder.platforms.people import Claim, NotUsable, Person
from autograder.platforms.roster import Roster
from autograder.platforms.table import PLATFORMS
from vjpcheck import escaping

# the suffixes that Canvas (-1) and browsers ( (1)) add to the name of a later upload
_LATER = re.compile(r"(?:-(?P<canvas>\d{1,3})| \((?P<browser>\d{1,3})\))$")
_ODD = re.compile(r"[\x00-\x1f/\\:*?\"<>|]+")


@dataclass(frozen=True)
class Notebook:
    """A notebook of a student, with the file that it came from."""

    claim: Claim
    person: Person
    file: File

    @property
    def name(self) -> str:
        """Return the name without the suffix of a later upload."""
        path = PurePosixPath(self._student_name())
        return f"{_LATER.sub('', path.stem)}.ipynb"

    @property
    def order(self) -> tuple[int, int, datetime]:
        """Return a key that grows with later uploads: the platform's number, the name's number, the time."""
        later = _LATER.search(PurePosixPath(self._student_name()).stem)
        number = int(later["canvas"] or later["browser"]) if later else 0
        return self.claim.order, number, self.file.when or datetime.min

    def _student_name(self) -> str:
        # for a student's own archive, the name within it; else the name after the platform's part
        path = self.claim.file if self.claim.file.lower().endswith(".ipynb") else self.file.path
        return _ODD.sub("_", PurePosixPath(path).name)[-100:]


@dataclass
class Collection:
    """The notebooks that count, by student, and messages for the instructor."""

    counting: dict[str, list[Notebook]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


def find(downloads: Iterable[Path], roster: Roster, create: bool) -> tuple[Collection, list[Person]]:
    """Return the notebooks of some downloads, and the new students, who are accepted only if `create`.

    Raises NotUsable if no download can be read.
    """
    collection, new = Collection(), dict[str, Person]()
    by_student: dict[str, list[Notebook]] = defaultdict(list)
    readable = False
    for path in downloads:
        try:
            within = list(download.files(path))
        except CannotRead as error:
            collection.troubles.append(str(error))
            continue
        readable = True
        for file in within:
            who = _whose(file, roster, create)
            if who is None:
                collection.strangers.append(escaping.name(file.path))
                continue
            claim, person = who
            if (person.platform, person.number) not in roster.people:
                new[person.student] = person
            try:
                notebooks = archives.notebooks(file)
            except CannotRead as error:
                collection.troubles.append(f"{person.student}: {error}")
                continue
            by_student[person.student] += [Notebook(claim, person, one) for one in notebooks]
    if not readable:
        raise NotUsable(" ".join(collection.troubles))
    for student, uploads in sorted(by_student.items()):
        collection.counting[student] = list(_newest(student, uploads, collection.remarks))
    return collection, list(new.values())


def _whose(file: File, roster: Roster, create: bool) -> tuple[Claim, Person] | None:
    claims = [claim for platform in PLATFORMS.values() for claim in platform.claims(file.path)]
    match = roster.find(claims)
    if match is not None or not create or len(claims) != 1:
        return match
    (claim,) = claims
    student = claim.number if claim.platform == "canvas" else f"participant {claim.number}"
    return claim, Person(claim.platform, claim.number, student, claim.name)


def _newest(student: str, notebooks: list[Notebook], remarks: list[str]) -> Iterator[Notebook]:
    attempts: dict[str, list[Notebook]] = defaultdict(list)
    for notebook in notebooks:
        attempts[notebook.name].append(notebook)
    for name, uploads in sorted(attempts.items()):
        uploads.sort(key=lambda notebook: notebook.order)
        if len(uploads) > 1:
            newest = escaping.name(PurePosixPath(uploads[-1].file.path).name)
            times = f"{escaping.name(name)} was handed in {len(uploads)} times"
            remarks.append(f"{student}: {times}; the newest ({newest}) counts")
        yield uploads[-1]


def write(files: Collection, folder_of: dict[str, Path], due: datetime | None, zone: ZoneInfo | None) -> None:
    """Write the notebooks that count into the students' folders, with a timestamp if the platform has one.

    The platform's times are those of `zone`; None is the zone of this machine.
    A different file of the same name is replaced, with a remark. A file that cannot be read does not count.
    """
    for student, notebooks in files.counting.items():
        folder, copied = folder_of[student], list[Notebook]()
        for notebook in notebooks:
            try:
                content = notebook.file.read()
            except CannotRead as error:
                files.troubles.append(f"{student}: {error}")
                continue
            folder.mkdir(parents=True, exist_ok=True)
            target = folder / notebook.name
            if target.exists() and target.read_bytes() != content:
                files.remarks.append(f"{student}: {escaping.name(notebook.name)} replaces an earlier one")
            target.write_bytes(content)
            copied.append(notebook)
        files.counting[student] = copied
        _write_time(student, copied, folder, due, zone, files.remarks)


def _write_time(
    student: str,
    notebooks: list[Notebook],
    folder: Path,
    due: datetime | None,
    zone: ZoneInfo | None,
    remarks: list[str],
) -> None:
    said = next((one.person.submitted for one in notebooks if one.person.submitted), "")
    time = _parsed(said, zone)
    if said and time is None:
        remarks.append(f"{student}: the time {escaping.name(said)} cannot be read; set Moodle to English")
    if time is None and any(one.claim.late for one in notebooks):
        if due is None:
            remarks.append(f"{student}: late according to the platform, but the assignment has no due date")
            return
        remarks.append(f"{student}: late according to the platform, without a time: counted as one second")
        time = due + timedelta(seconds=1)
    if time is not None and folder.is_dir():
        (folder / TIMESTAMP).write_text(f"{time:%Y-%m-%d %H:%M:%S} UTC\n")


def _parsed(when: str, zone: ZoneInfo | None) -> datetime | None:
    """Return the time of a worksheet, such as `Thursday, 7 November 2024, 11:00 PM`, in UTC."""
    from nbgrader.utils import parse_utc

    try:
        return parse_utc(when).replace(tzinfo=zone).astimezone(UTC) if when else None
    except (ValueError, OverflowError):
        return None
