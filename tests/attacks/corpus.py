"""The attacks on the autograder: submissions with wrong work that try for points all the same.

`cells/` has the source of one solution cell a file, by what it goes for; its first line says what it tries.
Further lines of its docstring may say otherwise than is usual:

    exercise: ID      the exercise that it goes for, kill_head if left out
    deserves: POINTS  what its visible work deserves, 1.5 if left out
    uses: NAMES       texts of `tools/` that stand before it in the cell
    first: LINE       what the cell begins with
    like: NAME        the attack that it is a variant of: it runs in the long tests
    only: sandbox     it must not run where nothing holds it back

In kill_head a wrong backward stands before it in the cell, and `COURSE` and `PORT` say where an attacker
would have to look: the course's folder and a port that somebody listens on. `structure`,
`contents`, `heavy` and `names` build whole notebooks and folders.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import contents  # noqa: F401 - its builders
import heavy  # noqa: F401 - its builders
import names  # noqa: F401 - its builders
from structure import BUILDERS, Builder, Submission

from autograder.exercises import find

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ASSIGNMENT = "04-first-function"
EXERCISE = "kill_head"

WRONG = '''class KillHead(Function):
    """Forward is right; backward lets the head pass."""

    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clone(), None
'''
DESERVED = 1.5  # points for the forward and the contract of the wrong work; all else is as released
FULL = 20.0
OF_ONE = 4.0  # points for honest work on that exercise alone
COMPUTING = {"asked", "autograd", "hidden", "kept"}  # groups that write, kill and fill nothing


@dataclass(frozen=True)
class Attack:
    """One attack: its name, its group, what it tries, what it deserves, and who writes it into a folder."""

    name: str
    group: str
    tries: str
    write: Callable[[Submission, int], None]
    exercise: str = EXERCISE
    deserves: float = DESERVED
    uses: str = ""
    like: str = ""
    only: str = ""

    @property
    def endless(self) -> bool:
        """Return whether it takes all the time that it is given."""
        return self.group == "endless"

    @property
    def alike(self) -> bool:
        """Return whether it is left to the long tests: it takes long, or is a variant of another attack."""
        return bool(self.like) or self.group == "heavy"

    @property
    def harmless(self) -> bool:
        """Return whether it only computes and answers: it may run where nothing holds it back."""
        forges = {"forger", "probe"} & set(self.uses.split())
        return (self.group in COMPUTING or bool(forges)) and not self.only and not self.endless

    @property
    def assignment(self) -> str:
        """Return the folder's name of the assignment that has its exercise."""
        return assignment_of(self.exercise)

    def submit(self, course: Path, student: str, port: int) -> None:
        """Put the submission of this student into the course; `port` is the one that is listened on."""
        folder = course / "submitted" / student / self.assignment
        folder.mkdir(parents=True)
        notebook = notebook_at(ROOT / "exercises", self.assignment)
        if self.exercise == EXERCISE:
            notebook = with_sources(notebook, {EXERCISE: WRONG})
        self.write(Submission(folder, notebook_of(self.assignment), notebook, course), port)


def assignment_of(exercise: str) -> str:
    """Return the folder's name of the assignment that has an exercise."""
    (folder,) = (ROOT / "exercises").glob(f"{find(exercise).lesson:02}-*")
    return folder.name


def notebook_of(assignment: str) -> str:
    """Return the file name of an assignment's notebook."""
    return f"{assignment[:2]}-exercises.ipynb"


def notebook_at(top: Path, assignment: str) -> dict[str, Any]:
    """Return an assignment's notebook below `exercises` or `solutions`."""
    found: dict[str, Any] = json.loads((top / assignment / notebook_of(assignment)).read_text())
    return found


def with_sources(notebook: dict[str, Any], sources: dict[str, str]) -> dict[str, Any]:
    """Return a copy of a notebook in which the cells of these grade_ids have these sources."""
    changed = copy.deepcopy(notebook)
    for cell in changed["cells"]:
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cell["source"] = sources.get(grade_id, cell["source"])
    return changed


def _of_cell(path: Path) -> Attack:
    trick = path.read_text()
    tries, *more = trick.split('"""')[1].splitlines()
    says = dict(re.findall(r"^(\w+): (.+)$", "\n".join(more), re.MULTILINE))
    exercise = says.get("exercise", EXERCISE)
    tools = [(HERE / "tools" / f"{name}.py").read_text() for name in says.get("uses", "").split()]

    def write(to: Submission, port: int) -> None:
        known = f"COURSE, PORT = {str(to.course)!r}, {port}\n"
        begin = [says["first"]] if "first" in says else []
        begin += [WRONG] if exercise == EXERCISE else []
        to.cell(exercise)["source"] = "\n\n".join([*begin, known, *tools, trick])
        to.write()

    deserves = float(says.get("deserves", DESERVED))
    facts = (says.get(key, "") for key in ("uses", "like", "only"))
    return Attack(path.stem, path.parent.name, tries, write, exercise, deserves, *facts)


def _of_builder(build: Builder) -> Attack:
    def write(to: Submission, port: int) -> None:
        build(to)

    return Attack(build.__name__, build.__module__, (build.__doc__ or "").splitlines()[0], write)


def corpus() -> list[Attack]:
    """Return all attacks, group by group."""
    cells = sorted((HERE / "cells").glob("*/*.*py"))  # .ipy: what IPython alone can read
    return [*map(_of_cell, cells), *map(_of_builder, BUILDERS)]


def solved(assignment: str = ASSIGNMENT, exercise: str = "") -> dict[str, Any]:
    """Return the released notebook with the instructor's solutions, or that of one exercise: honest work."""
    sources = {
        cell["metadata"]["nbgrader"]["grade_id"]: "".join(cell["source"])
        for cell in notebook_at(ROOT / "solutions", assignment)["cells"]
        if cell["metadata"].get("nbgrader", {}).get("solution")
    }
    sources = {exercise: sources[exercise]} if exercise else sources
    return with_sources(notebook_at(ROOT / "exercises", assignment), sources)


def submit_honest(course: Path, student: str, assignment: str = ASSIGNMENT, exercise: str = "") -> None:
    """Put an ordinary submission into the course; with `exercise`, one in which only that is solved."""
    folder = course / "submitted" / student / assignment
    folder.mkdir(parents=True)
    (folder / notebook_of(assignment)).write_text(json.dumps(solved(assignment, exercise)))
