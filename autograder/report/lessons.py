"""Finds the lesson that explains a mistake."""

import json
import tomllib
from pathlib import Path

import course
from autograder.exercises import EXERCISES

_TAUGHT_IN: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
LESSONS = {name: int(lesson) for lesson, names in _TAUGHT_IN.items() for name in names.split()}


def lesson_of(mistake: str, exercise: str) -> int | None:
    """Return the number of the lesson that explains a mistake; None for an exercise outside the course."""
    if mistake not in LESSONS and exercise in EXERCISES:
        return EXERCISES[exercise].lesson
    return LESSONS.get(mistake)


def title(lesson: int) -> str:
    """Return 'Lesson 4. A Function owes …', or only 'Lesson 4' if its notebook is missing."""
    folder = Path(str(course.__file__)).parent
    for path in sorted(folder.glob(f"{lesson:02}-*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            first = "".join(cell["source"]).splitlines()[:1]
            if cell["cell_type"] == "markdown" and first and first[0].startswith("# "):
                heading = first[0].removeprefix("# ").removeprefix("Lesson ")
                return f"Lesson {heading if heading[:1].isdigit() else f'{lesson}. {heading}'}"
    return f"Lesson {lesson}"
