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

from corpus import ASSIGNMENT, NOTEBOOK, ROOT, Attack, released_and_solved, submit_honest
from outside import Listener, Outside, descendants
from waiting import until

from autograder.exercises import find
from autograder.grading.assignment import Assignment, Source, load
from autograder.grading.grade import grade_one
from autograder.grading.graded import Graded
from autograder.grading.sandbox.client import Session
from autograder.grading.sandbox.sandbox import Sandbox
from autograder.grading.submission import hand_in

PATIENCE = 2.0  # seconds for an attack that never ends
AT_REST = 3  # processes of a sandbox: bwrap, its child, and the process that forks


@dataclass(frozen=True)
class Seen:
    """What came of one attack: its score, that of the honest work after it, and what has changed outside."""

    attack: Attack
    graded: Graded | None
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


def make_course(folder: Path) -> Path:
    """Make a course with the assignment released, and another student's work graded."""
    (folder / "solutions" / ASSIGNMENT).mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text(STOCK)
    shutil.copy(ROOT / "solutions" / ASSIGNMENT / NOTEBOOK, folder / "solutions" / ASSIGNMENT)
    submit_honest(folder, "another", released_and_solved()[1])
    for command in ("generate_assignment", "autograde"):
        nbgrader = [sys.executable, "-m", "nbgrader", command, ASSIGNMENT]
        subprocess.run(nbgrader, cwd=folder, check=True, capture_output=True)
    return folder


def _assignment(course: Path) -> Assignment:
    cells = json.loads((course / "exercises" / ASSIGNMENT / NOTEBOOK).read_text())["cells"]
    marked = [(cell, cell["metadata"]["nbgrader"]) for cell in cells if "nbgrader" in cell["metadata"]]
    released = {m["grade_id"]: Source("".join(cell["source"]), m.get("checksum")) for cell, m in marked}
    return load(course / "solutions" / ASSIGNMENT / NOTEBOOK, ASSIGNMENT, released)


def on_the_autograder(course: Path, attacks: Sequence[Attack], listener: Listener) -> Iterator[Seen]:
    """Grade each attack, then the honest work, in one sandbox; look around after each."""
    released, solved = released_and_solved()
    submit_honest(course, "honest", solved)
    assignment = _assignment(course)
    top = course / "submitted"
    processes = len(descendants()) + AT_REST
    with HurriedSandbox([find(task.exercise) for task in assignment.tasks]) as sandbox:

        def grade(student: str, hurry: float | None = None) -> Graded:
            sandbox.hurry = hurry
            return grade_one(assignment, hand_in(top / student / ASSIGNMENT / NOTEBOOK, top), sandbox)

        grade("honest")
        assert until(lambda: len(descendants()) == processes)
        for attack in attacks:
            attack.submit(course, f"attacker-{attack.name}", released, listener.port)
            outside = Outside(course, listener, processes)
            graded, then, fault = None, 0.0, ""
            start = time.monotonic()
            try:
                graded = grade(f"attacker-{attack.name}", PATIENCE if attack.endless else None)
            except Exception as error:
                fault = f"{type(error).__name__}: {error}"
            seconds = time.monotonic() - start
            try:
                then = grade("honest").score
            except Exception as error:
                fault += f"afterwards {type(error).__name__}: {error}"
            yield Seen(attack, graded, then, fault, tuple(outside.changes()), seconds)
