"""Writes a variant into the course: its source, what students get, and one notebook for each student."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.converters import GenerateAssignment, NbGraderException
from nbgrader.coursedir import CourseDirectory

from autograder.exercise import Exercise
from autograder.grading.course import Course
from autograder.grading.own_variant import FOLDER
from autograder.refusal import Refusal
from autograder.variants.assignment import variant, varied
from autograder.variants.draw import draw
from autograder.variants.released import Release


class Variant:
    """A variant of one assignment of the course, for everybody or for each student.

    `name` is that of the new assignment. Raises Refusal if there is no such assignment, or nothing of it
    can be varied.
    """

    def __init__(self, course: Course, assignment: str, seed: str) -> None:
        self._course, self._seed = course, seed
        self.name = f"{assignment}-{seed}"
        folder = course.folder("source", ".", assignment)
        paths = sorted(folder.glob("*.ipynb"))
        if len(paths) != 1:
            raise Refusal(f"There is no assignment {assignment}: a folder {folder} with one notebook.")
        self._file = paths[0].name
        self._source = nbformat.read(paths[0], as_version=4)
        self._families = varied(self._source)
        marked = [cell.metadata.get("nbgrader", {}) for cell in self._source.cells]
        graded = [one.grade_id.removesuffix("_test") for one in marked if one.get("grade")]
        self.unchanged = [name for name in graded if name not in self._families]

    @property
    def folder(self) -> Path:
        """Return where the students' notebooks are, in the course's folder."""
        return Path(FOLDER, self.name)

    def members(self, student: str = "") -> Sequence[Exercise]:
        """Return the exercises of a student, or of everybody."""
        return [*draw(self._families, self._seed, student).values()]

    def write(self) -> list[Path]:
        """Write source and release of everybody's notebook, and return where they are.

        Raises Refusal if there is another assignment of that name.
        """
        source = self._course.folder("source", ".", self.name) / self._file
        self._write(source, self._made(""))
        directory = CourseDirectory(parent=self._course.app, assignment_id=self.name)
        try:
            GenerateAssignment(coursedir=directory, parent=self._course.app).start()
        except NbGraderException as error:
            raise Refusal(f"nbgrader could not release {self.name}: {error}") from None
        return [source, self._course.folder("release", ".", self.name) / self._file]

    def write_for(self, students: Sequence[str]) -> Iterator[Path]:
        """Write the notebook of each student, as the student gets it, and yield where it is."""
        release = Release(self._course.app)
        for student in students:
            path = Path(self._course.directory.root) / self.folder / student / self._file
            self._write(path, release(self._made(student)))
            yield path

    def _made(self, student: str) -> Any:
        members = draw(self._families, self._seed, student)
        owner = f", for {student}" if student else ""
        return variant(self._source, members, f"Variant {self._seed}{owner}.")

    def _write(self, path: Path, notebook: Any) -> None:
        text = nbformat.writes(notebook).rstrip("\n") + "\n"
        if path.exists() and path.read_text(encoding="utf-8") != text:
            raise Refusal(
                f"{path} is there already, and differs: choose another seed, or remove {path.parent}."
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
