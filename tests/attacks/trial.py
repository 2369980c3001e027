"""Grades the attacks with the grading core, each followed by honest work, and says what came of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus import ASSIGNMENT, EXERCISE, ROOT, Attack, notebook_of, submit_honest
from outside import Listener, Outside
from processes import descendants
from waiting import until

from autograder.exercises import find
from autograder.grading.assignment import Assignment, Source, load
from autograder.grading.grade import grade_one
from autograder.grading.notebook_grade import NotebookGrade
from autograder.grading.sandbox.client import Session
from autograder.grading.sandbox.levels import Level
from autograder.grading.sandbox.sandbox import Sandbox
from autograder.grading.submission import read_submission

PATIENCE = 2.0  # seconds for an attack that never ends
AT_REST = 3  # processes of a sandbox: bwrap, its child, and the process that forks; else only the latter


@dataclass(frozen=True)
class Seen:
    """What came of one attack: its score, that of the honest work after it, and what has changed outside."""

    attack: Attack
    graded: NotebookGrade | None
    then: float
    fault: str
    changed: tuple[str, ...]
    seconds: float

    @property
    def score(self) -> float:
        return self.graded.score if self.graded else 0.0

    @property
    def needs_person(self) -> bool:
        return bool(self.graded and self.graded.needs_person)

    @property
    def undeserved(self) -> dict[str, float]:
        """Return the points of each task that has more than it deserves and that no person is to see."""
        return {
            cell.exercise: cell.score
            for cell in (self.graded.cells if self.graded else ())
            if not cell.needs_person and cell.score > self._deserves(cell.exercise)
        }

    def _deserves(self, exercise: str) -> float:
        return self.attack.deserves if exercise == self.attack.exercise else 0.0


class HurriedSandbox(Sandbox):
    """A sandbox whose sessions may be given less time."""

    hurry: float | None = None

    def session(self, seconds: float | None = None) -> Session:
        return super().session(seconds or self.hurry)


# nbgrader as it comes: the notebook's cells are executed as they were handed in
STOCK = """
from pathlib import Path
c = get_config()
c.CourseDirectory.root = str(Path(__file__).parent)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
"""


def make_course(folder: Path, assignments: Sequence[str] = (ASSIGNMENT,)) -> Path:
    """Make a course with these assignments released, and another student's work on the first one graded."""
    (folder / "solutions").mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text(STOCK)
    for name in assignments:
        place = folder / "solutions" / name
        place.mkdir()
        shutil.copy(ROOT / "solutions" / name / notebook_of(name), place)
        _nbgrader(folder, "generate_assignment", name)
    submit_honest(folder, "another", assignments[0])
    _nbgrader(folder, "autograde", assignments[0])
    return folder


def _nbgrader(course: Path, *command: str) -> None:
    subprocess.run([sys.executable, "-m", "nbgrader", *command], cwd=course, check=True, capture_output=True)


def assignment_called(name: str) -> Assignment:
    """Return an assignment as it is shipped."""
    notebook = notebook_of(name)
    cells = json.loads((ROOT / "exercises" / name / notebook).read_text())["cells"]
    marked = [(cell, cell["metadata"]["nbgrader"]) for cell in cells if "nbgrader" in cell["metadata"]]
    released = {m["grade_id"]: Source("".join(cell["source"]), m.get("checksum")) for cell, m in marked}
    return load(ROOT / "solutions" / name / notebook, name, released)


def on_the_autograder(
    course: Path, attacks: Sequence[Attack], listener: Listener, level: Level = Level.SANDBOX
) -> Iterator[Seen]:
    """Grade each attack, then honest work on one exercise, in one sandbox; look around after each."""
    submit_honest(course, "honest", exercise=EXERCISE)
    names = dict.fromkeys([ASSIGNMENT, *(attack.assignment for attack in attacks)])
    assignments = {name: assignment_called(name) for name in names}
    tasks = [task for assignment in assignments.values() for task in assignment.tasks]
    top = course / "submitted"
    there = frozenset(descendants())
    processes = 1 if level.weak else AT_REST
    with HurriedSandbox([find(task.exercise) for task in tasks], level) as sandbox:

        def grade(student: str, name: str = ASSIGNMENT, hurry: float | None = None) -> NotebookGrade:
            sandbox.hurry = hurry
            path = top / student / name / notebook_of(name)
            return grade_one(assignments[name], read_submission(path, top), sandbox)

        grade("honest")
        assert until(lambda: len(descendants(but=there)) == processes)
        for attack in attacks:
            attack.submit(course, f"attacker-{attack.name}", listener.port)
            outside = Outside(course, listener, there, processes)
            graded, then, fault = None, 0.0, ""
            start = time.monotonic()
            try:
                hurry = PATIENCE if attack.endless else None
                graded = grade(f"attacker-{attack.name}", attack.assignment, hurry)
            except Exception as error:
                fault = f"{type(error).__name__}: {error}"
            seconds = time.monotonic() - start
            try:
                then = grade("honest").score
            except Exception as error:
                fault += f"afterwards {type(error).__name__}: {error}"
            yield Seen(attack, graded, then, fault, tuple(outside.changes()), seconds)
