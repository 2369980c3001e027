"""Writes the files of a new exercise.

The skeleton is an exercise that works, y = 2x, so that every part of it can be run before it is filled in.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import nbformat

from autograder.exercises import EXERCISES
from autograder.refusal import Refusal

_FOLDER = Path(__file__).parent
_WITH_TORCH = 4  # the first lesson that imports it
_FUNCTION = "from torch.autograd import Function"

_IMPORTED = {
    "autograder.exercise": ("FunctionExercise",),
    "autograder.exercises.draws": ("AXES",),
    "vjpcheck.domain": ("Array", "Domain"),
}


def write(root: Path, exercise_id: str, lesson: int) -> list[Path]:
    """Write the skeleton into the clone at `root` and return the files that were written.

    Raises Refusal, before anything is written, if the id is in use or the lesson has no place for it.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", exercise_id):
        raise Refusal(
            f"{exercise_id!r} is not an id: use lower-case letters, digits and underscores, as in kill_head."
        )
    if exercise_id in EXERCISES:
        raise Refusal(f"Lesson {EXERCISES[exercise_id].lesson} already has an exercise {exercise_id}.")
    if lesson < _WITH_TORCH:
        raise Refusal(
            f"Lesson {lesson} imports no torch, and this writes a torch.autograd.Function: copy an exercise "
            "of the lesson instead."
        )
    data = root / "autograder" / "exercises" / f"lesson_{lesson:02}.py"
    corpus = root / "tests" / "submissions" / f"{exercise_id}.py"
    if not data.exists() or not corpus.parent.exists():
        raise Refusal(f"There is no {data.relative_to(root)}: lessons 4 to 12, in a clone of the project.")
    if corpus.exists():
        raise Refusal(f"{corpus.relative_to(root)} already exists.")
    notebook = _assignment(root, lesson)
    _add_data(data, exercise_id)
    _add_cells(notebook, exercise_id)
    corpus.write_text(_filled("submissions.txt", exercise_id), encoding="utf-8")
    return [data, notebook, corpus]


def _assignment(root: Path, lesson: int) -> Path:
    """Return the lesson's source notebook, not that of a variant; make one if the lesson has none yet."""
    sources = sorted((root / "solutions").glob(f"{lesson:02}-*/{lesson:02}-exercises.ipynb"))
    lessons = sorted((root / "course").glob(f"{lesson:02}-*.ipynb"))
    own = [path for path in sources if not lessons or path.parent.name == lessons[0].stem]
    if own:
        return own[0]
    if not lessons:
        raise Refusal(f"Write the lesson first: there is no notebook course/{lesson:02}-….ipynb.")
    path = root / "solutions" / lessons[0].stem / f"{lesson:02}-exercises.ipynb"
    path.parent.mkdir(parents=True)
    first = nbformat.reads((_FOLDER / "assignment.json").read_text(encoding="utf-8"), as_version=4)
    title = first.cells[0].source.replace("LESSON_NUMBER", str(lesson))
    first.cells[0].source = title.replace("LESSON_NAME", lessons[0].stem)
    nbformat.write(first, path)
    return path


def _filled(template: str, exercise_id: str) -> str:
    words = exercise_id.split("_")
    text = (_FOLDER / template).read_text(encoding="utf-8")
    name = "".join(word.capitalize() for word in words)
    return text.replace("EXERCISE_CLASS", name).replace("EXERCISE_ID", exercise_id)


def _add_data(path: Path, exercise_id: str) -> None:
    """Put the exercise behind the others of its lesson."""
    source = path.read_text(encoding="utf-8")
    if not source.endswith("\n)\n"):
        raise Refusal(f"{path} does not end with its EXERCISES; add the exercise by hand.")
    source = source.removesuffix(")\n") + _filled("exercise.txt", exercise_id) + ")\n"
    path.write_text(_with_imports(source), encoding="utf-8")


def _with_imports(source: str) -> str:
    """Return a lesson's data with the imports that the new exercise needs, in order."""
    match = re.search(r"^from autograder\.exercise import (.+)$", source, re.MULTILINE)
    if match is None:
        raise Refusal("The data do not import Exercise from autograder.exercise; add the exercise by hand.")
    numpy = "" if "\nimport numpy as np\n" in source else "import numpy as np\n\n"
    source = source[: match.start()] + numpy + source[match.start() :]
    for module, needed in _IMPORTED.items():
        source = _with_names(source, module, needed)
    return source


def _with_names(source: str, module: str, needed: Sequence[str]) -> str:
    """Return the source with these names imported from a module, in order."""
    match = re.search(rf"^from {re.escape(module)} import (.+)$", source, re.MULTILINE)
    names = sorted({*(match[1].split(", ") if match else ()), *needed})
    line = f"from {module} import {', '.join(names)}"
    if match is not None:
        return source[: match.start()] + line + source[match.end() :]
    earlier = [
        one for one in re.finditer(r"^from ([\w.]+) import .+\n", source, re.MULTILINE) if one[1] < module
    ]
    place = earlier[-1].end()
    return f"{source[:place]}{line}\n{source[place:]}"


def _add_cells(path: Path, exercise_id: str) -> None:
    """Add the cells of the exercise at the end, and its row to the table at the top."""
    notebook = nbformat.read(path, as_version=4)
    cells = nbformat.reads(_filled("cells.json", exercise_id), as_version=4).cells
    rows = [line for line in notebook.cells[0].source.splitlines() if re.match(r"\| \d+ \|", line)]
    number = len(rows) + 1
    cells[0].source = cells[0].source.replace("EXERCISE_NUMBER", str(number))
    row = f"| {number} | `{exercise_id}` | core | ●○○ | 10 | 4 |"
    last = rows[-1] if rows else "| ---: | :--- | :--- | :---: | ---: | ---: |"
    notebook.cells[0].source = notebook.cells[0].source.replace(last, f"{last}\n{row}")
    imports = next(cell for cell in notebook.cells if cell.cell_type == "code")
    if _FUNCTION not in imports.source:
        imports.source = re.sub(r"^from torch import .*$", rf"\g<0>\n{_FUNCTION}", imports.source, flags=re.M)
    notebook.cells += cells
    nbformat.write(notebook, path)
