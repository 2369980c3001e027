"""Makes the notebook that is run: the instructor's notebook with the student's code in its solution cells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.grading.assignment import Assignment, Task
from autograder.grading.recognise import plain, recognise, too_long
from autograder.grading.submission import Cell

MISSING = "The submission lacks this cell; the released cell is shown instead."
UNRECOGNISED = (
    "The notebook has code that belongs to no cell of the assignment; please check whether it is the answer."
)
FOREIGN = "The notebook has no cell of the assignment; please check whether it was handed in by mistake."


@dataclass(frozen=True)
class Notebook:
    """The cells in order, the tasks by place, and notes on oddities, in all and by solution cell.

    `left_out` says in a sentence that not all added cells are there, or is empty. By the grade_id of a
    solution cell, `refused` says why it is not run, and `for_a_person` why a person should look at a
    missing one.
    """

    cells: list[dict[str, Any]]
    tasks: dict[int, Task]
    notes: list[str]
    cell_notes: dict[str, str]
    left_out: str = ""
    refused: Mapping[str, str] = field(default_factory=dict)
    for_a_person: dict[str, str] = field(default_factory=dict)


def rebuild(assignment: Assignment, submitted: Sequence[Cell]) -> Notebook:
    """Put a submission's code into the instructor's notebook.

    A solution cell gets the source of the submitted cell that was recognised as it; without one it stays as
    released. Code cells that a student added or changed, such as helpers, run in their places; test cells,
    tags, metadata and texts of a submission do not count. Added cells beyond a number of cells or of
    characters are left out.
    """
    matches = recognise(assignment, submitted)
    refused = {id_: reason for id_, source in matches.solutions.items() if (reason := too_long(source))}
    solutions = {id_: source for id_, source in matches.solutions.items() if id_ not in refused}
    added = matches.added
    cells: list[dict[str, Any]] = []
    tasks: dict[int, Task] = {}
    by_place = {task.cell: task for task in assignment.tasks}
    cells += _additions(added[-1], 0)
    cell_notes = dict(matches.remarks)
    for place, released_cell in enumerate(assignment.cells):
        marked = released_cell["metadata"].get("nbgrader")
        copied = ("cell_type", "id", "metadata", "source")
        cell: dict[str, Any] = {key: value for key, value in released_cell.items() if key in copied}
        if released_cell["cell_type"] == "code":
            cell |= {"execution_count": None, "outputs": []}
        if marked:
            cell["metadata"] = {"nbgrader": _metadata(assignment, released_cell, marked)}
        if marked and marked.get("solution"):
            grade_id = marked["grade_id"]
            released = assignment.released.get(grade_id)
            stub = released.source if released else ""
            cell["source"] = solutions.get(grade_id, stub)
            if grade_id in refused:
                cell_notes[grade_id] = refused[grade_id]
            elif grade_id not in solutions:
                cell_notes[grade_id] = MISSING
            elif plain(cell["source"]) == plain(stub):
                cell_notes[grade_id] = "No response."
        if place in by_place:
            tasks[len(cells)] = by_place[place]
        cells.append(cell)
        cells += _additions(added[place], len(cells))
    missing = [grade_id for grade_id, note in cell_notes.items() if note == MISSING]
    notes = [*matches.notes, *(f"The cell {grade_id} is missing." for grade_id in missing)]
    notes += [matches.left_out] if matches.left_out else []
    why = UNRECOGNISED if any(added.values()) else "" if matches.solutions else FOREIGN
    for_a_person = dict.fromkeys(missing, why) if why else {}
    return Notebook(
        cells, tasks, [*dict.fromkeys(notes)], cell_notes, matches.left_out, refused, for_a_person
    )


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
