"""Packs what students get: lessons, one assignment and the autograder, without what gives an answer away."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

from autograder.grading.course import Course
from autograder.grading.own_variant import FOLDER
from autograder.project import PACKAGES, ROOT
from autograder.whole_file import replacing

# an allow-list of files, and of folders with all that is in them
FILES = (
    "LICENSE",
    "Makefile",
    "README.md",
    "constraints.txt",
    "environment.yml",
    "pyproject.toml",
    "tools/chromium.py",
    "tools/setup.py",
)
FOLDERS = (*PACKAGES, "binder")
# within them: solutions of variants, and other solutions that `check` shows once the work is right
LEFT_OUT = ("autograder/variants/templates", "autograder/exercises/second_ways.json")
_NO_PART_OF_IT = (".pyc", ".pyo", ".ipynb_checkpoints")


class CannotPack(Exception):  # noqa: N818 - said to the instructor
    """The handout cannot be made; the message says why and what to do."""


def write(course: Course, assignment: str) -> Path:
    """Write ASSIGNMENT.zip into the course's folder and return where it is.

    An assignment with a notebook for each student is packed without any: hand those out one by one. Raises
    CannotPack if there is no such assignment, or this is no copy of the project.
    """
    released = course.folder("release", ".", assignment)
    if not any(released.glob("*.ipynb")):
        raise CannotPack(f"There is no assignment {assignment}: no notebook in {released}.")
    missing = next((name for name in FILES if not (ROOT / name).exists()), None)
    if missing:
        raise CannotPack(f"There is no {missing} in {ROOT}: run the command in a copy of the project.")
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


def _sources() -> Iterator[str]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.is_file() and _is_part(path) and not name.startswith(LEFT_OUT):
                yield name


def _is_part(path: Path) -> bool:
    inside = path.relative_to(ROOT).parts if path.is_relative_to(ROOT) else path.parts[-1:]
    return not path.name.endswith(_NO_PART_OF_IT) and not any(part.startswith(".") for part in inside)
