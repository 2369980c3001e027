"""A variant of an assignment: the course's own source notebook with members in the place of its exercises."""

import copy
import re
from collections.abc import Collection, Mapping
from typing import Any

from autograder.exercise import Exercise
from autograder.exercises import FAMILIES
from autograder.refusal import Refusal
from autograder.variants.texts import texts

HEADING = re.compile(r"\A(## .*\n\n\*[^*]+\*) ")  # number, name, difficulty; minutes and points


def varied(notebook: Any) -> Collection[str]:
    """Return which exercises of a notebook have a family; raises Refusal if none has."""
    ids = {cell["id"] for cell in notebook.cells}
    families = [name for name in FAMILIES if name in ids]
    if not families:
        raise Refusal("None of its exercises has a family in autograder/exercises.")
    return families


def variant(notebook: Any, members: Mapping[str, Exercise], title: str) -> Any:
    """Return a source notebook with its exercises replaced by members; `title` is added to its first cell.

    Numbers, minutes, difficulties and points are those of the notebook.
    """
    made = copy.deepcopy(notebook)
    for exercise in members.values():
        _replace(made, exercise)
    first = made.cells[0]
    for name, exercise in members.items():
        first.source = first.source.replace(f"`{name}`", f"`{exercise.object_name}`")
    heading, _, rest = first.source.partition("\n")
    first.source = f"{heading}\n\n*{title}*\n{rest}"
    return made


def _replace(notebook: Any, exercise: Exercise) -> None:
    sections = {
        "check": f'check("{exercise.id}", {exercise.object_name})',
        "test": f'grade("{exercise.id}", {exercise.object_name})',
        **texts(exercise),
    }
    for cell in notebook.cells:
        if cell["id"] != exercise.family and not cell["id"].startswith(f"{exercise.family}_"):
            continue
        section = cell["id"].removeprefix(exercise.family).removeprefix("_") or "solution"
        if section not in sections:
            raise Refusal(f"The cell {cell['id']} has no section {section} in the family's template.")
        if section == "why":
            heading = HEADING.match(cell.source)
            if heading is None:
                raise Refusal(f"The cell {cell['id']} does not begin with a heading, minutes and points.")
            named = heading[1].replace(f"`{exercise.family}`", f"`{exercise.object_name}`")
            cell.source = f"{named} {sections[section]}"
        else:
            cell.source = sections[section]
