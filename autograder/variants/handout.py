"""Packs what students get: lessons, one assignment and the autograder, without what gives an answer away.

Each student's own variant is packed on its own, and all of them for the upload of many files to a platform.
Moodle takes a file for each participant, Canvas one for each student who has handed in a file.
"""

import shutil
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder.grading.course import Course
from autograder.grading.own_variant import FOLDER
from autograder.platforms import canvas, moodle, post, table
from autograder.platforms.origins import Origin
from autograder.platforms.roster import Roster
from autograder.project import PACKAGES, ROOT
from autograder.refusal import Refusal
from autograder.whole_file import replacing

# an allow-list of files, and of folders with all that is in them
FILES = (
    "LICENSE",
    "Makefile",
    "README.md",
    "constraints.txt",
    "environment.yml",
    "pyproject.toml",
    "setup.py",
    "tools/chromium.py",
    "tools/setup.py",
)
FOLDERS = (*PACKAGES, "binder", "student_view")
# within them: solutions of variants, and other solutions that `check` shows once the work is right
LEFT_OUT = ("autograder/variants/templates", "autograder/exercises/second_ways.json")
_NO_PART_OF_IT = (".pyc", ".pyo", ".ipynb_checkpoints")


def write(course: Course, assignment: str) -> Path:
    """Write ASSIGNMENT.zip into the course's folder and return where it is.

    An assignment with a notebook for each student is packed without any: hand those out one by one. Raises
    Refusal if there is no such assignment, or this is no copy of the project.
    """
    released = course.folder("release", ".", assignment)
    if not any(released.glob("*.ipynb")):
        raise Refusal(f"There is no assignment {assignment}: no notebook in {released}.")
    missing = next((name for name in FILES if not (ROOT / name).exists()), None)
    if missing:
        raise Refusal(f"There is no {missing} in {ROOT}: run the command in a copy of the project.")
    top = Path(course.directory.root)
    files = {name: ROOT / name for name in [*FILES, *_sources()]}
    if not (top / FOLDER / assignment).is_dir():
        paths = (path for path in sorted(released.rglob("*")) if path.is_file() and _is_part(path))
        files |= {f"exercises/{assignment}/{path.relative_to(released).as_posix()}": path for path in paths}
    packed = top / f"{assignment}.zip"
    with replacing(packed) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files.items():
            archive.write(path, f"{assignment}/{name}")
    return packed


def own_notebooks(course: Course, assignment: str) -> dict[str, list[Path]]:
    """Return the notebooks made for each student; raises Refusal if there are none."""
    folder = Path(course.directory.root) / FOLDER / assignment
    own = {place.name: sorted(place.glob("*.ipynb")) for place in sorted(folder.glob("*")) if place.is_dir()}
    if not own:
        raise Refusal(f"There is no notebook in {folder}: run `autograder variant` with --per-student first.")
    return own


def write_each(own: dict[str, list[Path]], assignment: str) -> Iterator[Path]:
    """Write ASSIGNMENT-students/ID/ASSIGNMENT.zip, which unpacks beside the course; yield each."""
    for student, notebooks in own.items():
        path = Path(f"{assignment}-students", student, f"{assignment}.zip")
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for notebook in notebooks:
                archive.write(notebook, f"{assignment}/exercises/{assignment}/{notebook.name}")
        yield path


def copy_each(own: dict[str, list[Path]], assignment: str, into: Path) -> Iterator[Path]:
    """Copy the notebooks to INTO/ID/ASSIGNMENT, as nbgrader names folders of students; yield each folder."""
    for student, notebooks in own.items():
        folder = into / student / assignment
        folder.mkdir(parents=True, exist_ok=True)
        for notebook in notebooks:
            shutil.copy(notebook, folder)
        yield folder


def pack_for_moodle(zips: Iterable[Path], assignment: str, worksheet: Path) -> tuple[Path, list[str]]:
    """Pack the zips for Moodle's upload of feedback files; return the archive, and who has no zip."""
    read = table.read(worksheet)
    if read.platform.name != moodle.NAME:
        raise Refusal(f"{worksheet} is no grading worksheet of Moodle.")
    people = [(p, f"{p.name.replace('_', ' ')}_{p.number}_assignsubmission_file_") for p in read.people]
    rows = [Origin(person.student, moodle.NAME, person.number, part, "") for person, part in people]
    return _pack(rows, zips, Path(f"{assignment}-moodle-handout.zip"))


def pack_for_canvas(zips: Iterable[Path], assignment: str, download: Path) -> tuple[Path, list[str]]:
    """Pack the zips for Canvas's upload of submissions; return the archive, and who has no zip.

    `download` is that of the students' first hand-ins: Canvas takes files back under their names alone.
    """
    roster = Roster()
    try:
        with zipfile.ZipFile(download) as archive:
            found = filter(None, (roster.find(canvas.claims(name)) for name in archive.namelist()))
    except zipfile.BadZipFile:
        raise Refusal(f"{download} is not a zip: download the submissions again.") from None
    newest = {person.student: claim for claim, person in sorted(found, key=lambda one: one[0].order)}
    rows = [Origin(student, canvas.NAME, one.number, one.part, "") for student, one in newest.items()]
    return _pack(rows, zips, Path(f"{assignment}-canvas-handout.zip"))


def _pack(rows: list[Origin], zips: Iterable[Path], archive: Path) -> tuple[Path, list[str]]:
    files = {path.parent.name: [path] for path in zips}
    post.pack(rows, files, archive)
    return archive, sorted(files.keys() ^ {row.student for row in rows})


def _sources() -> Iterator[str]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.is_file() and _is_part(path) and not name.startswith(LEFT_OUT):
                yield name


def _is_part(path: Path) -> bool:
    inside = path.relative_to(ROOT).parts if path.is_relative_to(ROOT) else path.parts[-1:]
    return not path.name.endswith(_NO_PART_OF_IT) and not any(part.startswith(".") for part in inside)
