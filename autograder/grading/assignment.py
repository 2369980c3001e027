"""Reads the instructor's notebook, from which every submission is rebuilt, and its graded cells."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.exercises import find
from autograder.grading import fingerprint
from autograder.refusal import Refusal

GRADED = re.compile(r"\bgrade\(\s*['\"](\w+)['\"]")  # and the exercise that a graded cell names


class WrongAssignment(Refusal):
    """The assignment cannot be graded as it is; the message says what to do."""


@dataclass(frozen=True)
class Task:
    """A graded cell: its exercise, the expression for the student's work, and the solution cell before it."""

    cell: int
    grade_id: str
    exercise: str
    expression: str
    points: float
    solution_id: str | None


@dataclass(frozen=True)
class Source:
    """A cell as it was released, as the gradebook has it."""

    source: str
    checksum: str | None


def _seed() -> int:
    return secrets.randbits(63)  # nobody can guess it


@dataclass(frozen=True)
class Assignment:
    """One notebook of an assignment: plain data, ready to be sent to another process.

    `cells` are those of the instructor's notebook; `released` has those that students received, by grade_id.
    `digest` is a hash of all that points depend on beside the submission. `seed` draws the numbers with which
    work is tried in the sandbox. A whole class has the same seed, and each run has another one.
    """

    name: str
    notebook: str
    cells: tuple[dict[str, Any], ...]
    metadata: dict[str, Any]
    tasks: tuple[Task, ...]
    released: Mapping[str, Source]
    digest: str
    seed: int = field(default_factory=_seed)

    @property
    def points(self) -> dict[str, float]:
        """Return the points of each graded cell, by grade_id."""
        return {task.grade_id: task.points for task in self.tasks}

    def drawn_again(self) -> Assignment:
        """Return the same assignment with another seed."""
        return replace(self, seed=_seed())

    def key(self, content: bytes, level: str) -> str:
        """Return the hash of a submission's bytes, the assignment, the checks and the isolation level."""
        parts = (self.digest.encode(), level.encode(), content)
        return hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def load(path: Path, name: str, released: Mapping[str, Source]) -> Assignment:
    """Read the instructor's notebook of an assignment.

    Raises WrongAssignment if it is not there, or a graded cell is not one call `grade("id", name)`.
    """
    try:
        notebook = json.loads(path.read_bytes())
        cells = tuple({**cell, "source": text(cell["source"])} for cell in notebook["cells"])
    except FileNotFoundError:
        raise WrongAssignment(f"There is no notebook {path}.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WrongAssignment(f"{path} cannot be read as a notebook: {error}") from None
    tasks = []
    solution_id = None
    for number, cell in enumerate(cells):
        marked = cell["metadata"].get("nbgrader", {})
        if marked.get("grade"):
            tasks.append(_task(path, number, cell, marked, solution_id))
        elif marked.get("solution"):
            solution_id = marked["grade_id"]
    digest = _digest(cells, tasks, released)
    return Assignment(name, path.stem, cells, notebook["metadata"], tuple(tasks), released, digest)


def text(source: str | list[str]) -> str:
    """Return a cell's source as one string; a notebook may have it as a list of lines."""
    return source if isinstance(source, str) else "".join(source)


def _task(
    path: Path, number: int, cell: dict[str, Any], marked: Mapping[str, Any], solution_id: str | None
) -> Task:
    grade_id = marked["grade_id"]
    try:
        call = ast.parse(cell["source"], mode="eval").body
    except SyntaxError:
        call = None
    match call:
        case ast.Call(func=ast.Name("grade"), args=[ast.Constant(str(exercise)), work], keywords=[]):
            points = find(exercise).max_score
            if points != marked["points"]:
                raise WrongAssignment(
                    f"{path}: the cell {grade_id} has {marked['points']} points, its exercise {points:g}: "
                    "change the exercise, then run `make exercises`."
                )
            return Task(number, grade_id, exercise, ast.unparse(work), points, solution_id)
    raise WrongAssignment(f'{path}: the graded cell {grade_id} is not one call grade("id", name).')


def _digest(cells: Sequence[Mapping[str, Any]], tasks: Sequence[Task], released: Mapping[str, Source]) -> str:
    """Return the hash of the cells that are run and graded, and of the code that judges them.

    Text cells, solutions and the words of hints do not count.
    """
    parts = [fingerprint.of_exercises(find(task.exercise) for task in tasks)]
    for cell in cells:
        marked = cell["metadata"].get("nbgrader") or {}
        if cell["cell_type"] == "code" and not marked.get("solution"):
            parts.append(fingerprint.of_code(cell["source"]))
        parts += [str(marked.get(key)) for key in ("grade_id", "grade", "solution", "points")]
    parts += [f"{name} {fingerprint.of_code(cell.source)}" for name, cell in sorted(released.items())]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
