"""Reads the notebooks that `autograder variant --per-student` made for one student.

A student's graded cells name that student's members of the families; all else is the assignment's.
"""

from collections.abc import Mapping
from pathlib import Path

from autograder.grading.assignment import Assignment, Source, WrongAssignment, load
from vjpcheck import escaping

FOLDER = "variants"  # in the course's folder: an assignment, in it a student, in it the notebooks


def own_variant(course: Path, student: str, common: Mapping[str, Assignment]) -> Mapping[str, Assignment]:
    """Return a student's own notebooks of an assignment by name, or the common ones if it has no variants.

    Raises WrongAssignment if others have their own and this student has none, or one with other cells.
    """
    name = next(iter(common.values())).name
    folder = course / FOLDER / name
    return {key: _own(folder / student, one) for key, one in common.items()} if folder.is_dir() else common


def _own(folder: Path, common: Assignment) -> Assignment:
    path = folder / f"{common.notebook}.ipynb"
    if not path.exists():
        problem = f"No variant of {common.name} was made for {escaping.name(folder.name)}"
        raise WrongAssignment(f"{problem}: run `autograder variant` with --per-student again.")
    own = load(path, common.name, {})
    if own.points != common.points:
        raise WrongAssignment(f"{path} has other cells or points than the assignment: make the variant anew.")
    marked = [(cell["metadata"].get("nbgrader"), cell["source"]) for cell in own.cells]
    released = {mark["grade_id"]: Source(source, mark.get("checksum")) for mark, source in marked if mark}
    return load(path, common.name, released)
