"""Makes the notebook that is run: the instructor's, with the student's code in its solution cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograder.grading.assignment import Assignment, Task
from autograder.grading.submission import Cell

ADDED_AT_MOST = 200  # code cells that a student adds, and the characters in them
CHARACTERS_ADDED_AT_MOST = 200_000


@dataclass(frozen=True)
class Rebuilt:
    """The cells in order, the places of the graded ones, and what was odd, in all and by solution cell.

    `left_out` says in a sentence that not all added cells are there, or is empty.
    """

    cells: list[dict[str, Any]]
    tasks: dict[int, Task]
    notes: list[str]
    cell_notes: dict[str, str]
    left_out: str = ""


def rebuild(assignment: Assignment, submitted: Sequence[Cell]) -> Rebuilt:
    """Put a submission's code into the instructor's notebook.

    A solution cell has the submitted source of the first cell with its grade_id, and is as released where
    there is none. Code cells that a student added or changed, helpers say, run where they stand; test cells,
    tags, metadata and texts of a submission count for nothing. Added cells beyond a number of them, or of
    characters, are left out.
    """
    solutions, added, notes, left_out = _sort(assignment, submitted)
    cells: list[dict[str, Any]] = []
    tasks: dict[int, Task] = {}
    by_place = {task.cell: task for task in assignment.tasks}
    cells += _additions(added[-1], 0)
    cell_notes: dict[str, str] = {}
    for place, given in enumerate(assignment.cells):
        marked = given["metadata"].get("nbgrader")
        kept = ("cell_type", "id", "metadata", "source")
        cell: dict[str, Any] = {key: value for key, value in given.items() if key in kept}
        if given["cell_type"] == "code":
            cell |= {"execution_count": None, "outputs": []}
        if marked:
            cell["metadata"] = {"nbgrader": _metadata(assignment, given, marked)}
        if marked and marked.get("solution"):
            grade_id = marked["grade_id"]
            released = assignment.released.get(grade_id)
            stub = released.source if released else ""
            cell["source"] = solutions.get(grade_id, stub)
            if grade_id not in solutions:
                cell_notes[grade_id] = "The cell is missing from the submission; its empty form stands here."
            elif cell["source"] == stub:
                cell_notes[grade_id] = "No response."
        if place in by_place:
            tasks[len(cells)] = by_place[place]
        cells.append(cell)
        cells += _additions(added[place], len(cells))
    notes += [f"The cell {id_} is missing." for id_, note in cell_notes.items() if "missing" in note]
    notes += [left_out] if left_out else []
    return Rebuilt(cells, tasks, [*dict.fromkeys(notes)], cell_notes, left_out)


def _sort(
    assignment: Assignment, submitted: Sequence[Cell]
) -> tuple[dict[str, str], defaultdict[int, list[str]], list[str], str]:
    """Return solutions by grade_id, added code by the cell before it, notes, and what is left out."""
    marked = [cell["metadata"].get("nbgrader", {}) for cell in assignment.cells]
    places = {m["grade_id"]: place for place, m in enumerate(marked) if m}
    plain = {cell.get("id"): p for p, cell in enumerate(assignment.cells) if not marked[p]}
    sources = {cell["source"] for p, cell in enumerate(assignment.cells) if not marked[p]}
    solutions: dict[str, str] = {}
    added: defaultdict[int, list[str]] = defaultdict(list)
    notes: list[str] = []
    seen: set[str] = set()
    place, count, size, left = -1, 0, 0, 0
    for cell in submitted:
        if cell.grade_id is not None and cell.grade_id in places:
            place = places[cell.grade_id]
            if cell.grade_id in seen:
                notes.append(f"There are several cells {cell.grade_id}; the first one counts.")
            elif marked[place].get("solution"):
                solutions[cell.grade_id] = cell.source
            seen.add(cell.grade_id)
            continue
        place = plain.get(cell.id, place)
        if cell.kind == "code" and cell.source.strip() and cell.source not in sources:
            count, size = count + 1, size + len(cell.source)
            if count <= ADDED_AT_MOST and size <= CHARACTERS_ADDED_AT_MOST:
                added[place].append(cell.source)
            else:
                left += 1
    told = f"{left} of {count} added cells were left out: at most {ADDED_AT_MOST} are run, with "
    told += f"{CHARACTERS_ADDED_AT_MOST:,} characters."
    return solutions, added, notes, told if left else ""


def _additions(sources: Sequence[str], start: int) -> list[dict[str, Any]]:
    empty: dict[str, Any] = {"cell_type": "code", "metadata": {}, "execution_count": None}
    return [
        {**empty, "id": f"added-{start + number}", "outputs": [], "source": source}
        for number, source in enumerate(sources)
    ]


def _metadata(assignment: Assignment, cell: dict[str, Any], marked: dict[str, Any]) -> dict[str, Any]:
    released = assignment.released.get(marked["grade_id"])
    checksum = {"checksum": released.checksum} if released and released.checksum else {}
    return {**marked, "cell_type": cell["cell_type"], **checksum}
