"""Copies a platform's download to submitted/: finds each file's student, the newest attempt and its time."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from zoneinfo import ZoneInfo

from autograder.grading import archives
from autograder.grading.archives import File
from autograder.grading.exchange import TIMESTAMP
from autograder.grading.refused import Refused
from autograder.grading.submission import CannotRead
from autograder.platforms import canvas, download
from autograder.platforms.people import Claim, Person
from autograder.platforms.roster import Roster, is_named
from autograder.platforms.table import PLATFORMS
from autograder.refusal import Refusal
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


Message = tuple[str, str]  # of a student, by id, or of nobody, ""


@dataclass
class Collection:
    """The notebooks that count, by student, the files that were refused, and messages for the instructor."""

    counting: dict[str, list[Notebook]] = field(default_factory=dict)
    refused: list[tuple[Refused, File]] = field(default_factory=list)
    remarks: list[Message] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    anonymous: list[str] = field(default_factory=list)
    troubles: list[Message] = field(default_factory=list)

    def refuse(self, student: str, file: File, why: CannotRead) -> None:
        """Record a student's file that is no notebook."""
        self.troubles.append((student, str(why)))
        self.refused.append((Refused(student, escaping.name(file.path), str(why)), file))


def find(downloads: Iterable[Path], roster: Roster, create: bool) -> tuple[Collection, list[Person]]:
    """Return the notebooks of some downloads, and the new students, who are accepted only if `create`.

    Raises Refusal if no download can be read.
    """
    collection, new = Collection(), dict[str, Person]()
    by_student: dict[str, list[Notebook]] = defaultdict(list)
    readable = False
    for path in downloads:
        try:
            within = list(download.files(path))
        except CannotRead as error:
            collection.troubles.append(("", str(error)))
            continue
        readable = True
        for file in within:
            who = _whose(file, roster, create, collection)
            if who is None:
                continue
            claim, person = who
            if (person.platform, person.number) not in roster.people:
                new[person.student] = person
            authors = roster.authors(claim, person)
            try:
                notebooks = _notebooks(file, claim)
            except CannotRead as error:
                for one in authors:
                    collection.refuse(one.student, file, error)
                continue
            for one in authors:
                by_student[one.student] += [Notebook(claim, person, notebook) for notebook in notebooks]
    if not readable:
        raise Refusal(" ".join(why for _, why in collection.troubles))
    for student, uploads in sorted(by_student.items()):
        collection.counting[student] = list(_newest(student, uploads, collection.remarks))
    return collection, list(new.values())


def _notebooks(file: File, claim: Claim) -> list[File]:
    if claim.typed:
        name = escaping.name(PurePosixPath(file.path).name)
        raise CannotRead(f"{name} is {claim.typed}, not a notebook that was uploaded.")
    return archives.notebooks(file)


def _whose(file: File, roster: Roster, create: bool, messages: Collection) -> tuple[Claim, Person] | None:
    """Return the claim to a file and its student; None, with a message, if nobody on the roster is meant."""
    claims = [claim for platform in PLATFORMS.values() for claim in platform.claims(file.path)]
    name = escaping.name(file.path)
    if match := roster.find(claims):
        claim, person = match
        if claim.name and not is_named(claim, person.name, person.group):
            other = f"{name} bears another name; if it is a group's, read the groups and collect again"
            messages.remarks.append((person.student, other))
        return match
    if any(is_named(claim, canvas.TEST_STUDENT) for claim in claims if claim.platform == canvas.NAME):
        messages.remarks.append(("", f"{name} is of Canvas's Test Student, who gets no grade"))
    elif any(map(canvas.is_anonymous, claims)):
        messages.anonymous.append(name)
    elif not create or len(claims) != 1:
        messages.strangers.append(name)
    else:
        (claim,) = claims
        student = claim.number if claim.platform == canvas.NAME else f"participant {claim.number}"
        return claim, Person(claim.platform, claim.number, student, claim.name)
    return None


def _newest(student: str, notebooks: list[Notebook], remarks: list[Message]) -> Iterator[Notebook]:
    attempts: dict[str, list[Notebook]] = defaultdict(list)
    for notebook in notebooks:
        attempts[notebook.name].append(notebook)
    for name, uploads in sorted(attempts.items()):
        uploads.sort(key=lambda notebook: notebook.order)
        if len(uploads) > 1:
            newest = escaping.name(PurePosixPath(uploads[-1].file.path).name)
            times = f"{escaping.name(name)} was handed in {len(uploads)} times"
            remarks.append((student, f"{times}; the newest ({newest}) counts"))
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
                files.refuse(student, notebook.file, error)
                continue
            folder.mkdir(parents=True, exist_ok=True)
            target = folder / notebook.name
            if target.exists() and target.read_bytes() != content:
                files.remarks.append((student, f"{escaping.name(notebook.name)} replaces an earlier one"))
            target.write_bytes(content)
            copied.append(notebook)
        files.counting[student] = copied
        _write_time(student, copied, folder, due, zone, files.remarks)


def keep(files: Collection, folder: Path) -> list[Refused]:
    """Write the files that were refused into a folder for each student; return what is recorded of them."""
    kept = []
    for refused, file in files.refused:
        name = _ODD.sub("_", PurePosixPath(file.path).name)[-100:].lstrip(".")
        target = folder / refused.student / (name or "file")
        try:
            content = file.read()
        except CannotRead:
            kept.append(refused)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        kept.append(replace(refused, kept=str(target.parent)))
    return kept


def _write_time(
    student: str,
    notebooks: list[Notebook],
    folder: Path,
    due: datetime | None,
    zone: ZoneInfo | None,
    remarks: list[Message],
) -> None:
    said = next((one.person.submitted for one in notebooks if one.person.submitted), "")
    time = _parsed(said, zone)
    if said and time is None:
        remarks.append((student, f"the time {escaping.name(said)} cannot be read; set Moodle to English"))
    if time is None and any(one.claim.late for one in notebooks):
        late = "late according to the platform"
        if due is None:
            remarks.append((student, f"{late}, but the assignment has no due date"))
            return
        remarks.append((student, f"{late}, without a time: counted as one second"))
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
