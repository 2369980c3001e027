"""Which lesson teaches what a mistake is about."""

from __future__ import annotations

import json
from pathlib import Path

import course
from autograder.exercises import EXERCISES
from autograder.mistakes import MISTAKES


def lesson_of(mistake: str, exercise: str) -> int | None:
    """Return the number of the lesson that teaches it, or None for an exercise that is not of the course."""
    lesson = MISTAKES[mistake].lesson if mistake in MISTAKES else None
    if lesson is None and exercise in EXERCISES:
        return EXERCISES[exercise].lesson
    return lesson


def title(lesson: int) -> str:
    """Return 'Lesson 4. A Function owes …', or its number alone where its notebook is not there."""
    folder = Path(str(course.__file__)).parent
    for path in sorted(folder.glob(f"{lesson:02}-*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            first = "".join(cell["source"]).splitlines()[:1]
            if cell["cell_type"] == "markdown" and first and first[0].startswith("# "):
                heading = first[0].removeprefix("# ").removeprefix("Lesson ")
                return f"Lesson {heading if heading[:1].isdigit() else f'{lesson}. {heading}'}"
    return f"Lesson {lesson}"
