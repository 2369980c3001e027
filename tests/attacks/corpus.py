"""The attacks on the autograder: submissions with a wrong backward that try for points all the same.

`cells/` has the source of one solution cell a file, by what it goes for; its first line says what it tries.
The wrong backward stands before it in the cell, and `COURSE` and `PORT` say where an attacker would have to
look: the course's folder and a port that somebody listens on. `structure` builds whole notebooks and folders.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from structure import BUILDERS, Builder, Submission

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ASSIGNMENT = "04-first-function"
NOTEBOOK = "04-exercises.ipynb"

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

# These have native autograd differentiate their (right) forward out of sight. The numbers are right: the
# points of the gradient are withheld, and a person has to look at how it came about.
BY_NATIVE_AUTOGRAD = {
    "autograd_by_another_name",
    "autograd_in_a_thread",
    "autograd_in_a_thread_from_before",
    "autograd_unwatched",
    "autograd_when_unwatched",
    "counter_replaced",
    "forward_mode_in_a_raw_thread",
    "probe_replaced",
}


@dataclass(frozen=True)
class Attack:
    """One attack: its name, its group, what it tries, and who writes it into a folder."""

    name: str
    group: str
    tries: str
    write: Callable[[Submission, int], None]

    @property
    def endless(self) -> bool:
        """Return whether it takes all the time that it is given."""
        return self.group == "endless"

    def submit(self, course: Path, student: str, released: dict[str, Any], port: int) -> None:
        """Put the submission of this student into the course; `port` is the one that is listened on."""
        folder = course / "submitted" / student / ASSIGNMENT
        folder.mkdir(parents=True)
        notebook = with_sources(released, {"kill_head": WRONG})
        self.write(Submission(folder, NOTEBOOK, notebook, course), port)


def with_sources(notebook: dict[str, Any], sources: dict[str, str]) -> dict[str, Any]:
    """Return a copy of a notebook in which the cells of these grade_ids have these sources."""
    changed = copy.deepcopy(notebook)
    for cell in changed["cells"]:
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cell["source"] = sources.get(grade_id, cell["source"])
    return changed


def _of_cell(path: Path) -> Attack:
    trick = path.read_text()

    def write(to: Submission, port: int) -> None:
        known = f"COURSE, PORT = {str(to.course)!r}, {port}\n"
        to.cell("kill_head")["source"] = f"{WRONG}\n\n{known}{trick}"
        to.write()

    return Attack(path.stem, path.parent.name, trick.strip('"').splitlines()[0].strip('"'), write)


def _of_builder(build: Builder) -> Attack:
    def write(to: Submission, port: int) -> None:
        build(to)

    return Attack(build.__name__, "structure", (build.__doc__ or "").splitlines()[0], write)


def corpus() -> list[Attack]:
    """Return all attacks, group by group."""
    cells = sorted((HERE / "cells").glob("*/*.py"))
    return [*map(_of_cell, cells), *map(_of_builder, BUILDERS)]


def released_and_solved() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the released notebook, and the same with the instructor's solutions: honest work."""
    released = json.loads((ROOT / "exercises" / ASSIGNMENT / NOTEBOOK).read_text())
    solved = json.loads((ROOT / "solutions" / ASSIGNMENT / NOTEBOOK).read_text())
    sources = {
        cell["metadata"]["nbgrader"]["grade_id"]: "".join(cell["source"])
        for cell in solved["cells"]
        if cell["metadata"].get("nbgrader", {}).get("solution")
    }
    return released, with_sources(released, sources)


def submit_honest(course: Path, student: str, notebook: dict[str, Any]) -> None:
    """Put an ordinary submission into the course."""
    folder = course / "submitted" / student / ASSIGNMENT
    folder.mkdir(parents=True)
    (folder / NOTEBOOK).write_text(json.dumps(notebook))
