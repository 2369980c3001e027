"""Writes what the docstring of each forward says about its arguments; part of `make exercises`.

It is the first paragraph below the docstring's summary. Further paragraphs are the author's own. In a
template of a family it is written where it is the same for all members; elsewhere the template makes it.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from argument_text import paragraph
from rewriting import rewrite

from autograder.exercise import FunctionExercise
from autograder.exercises import EXERCISES, FAMILIES
from autograder.exercises.families.family import Family

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "autograder" / "variants" / "templates"


def with_paragraph(source: str, class_name: str, names: tuple[str, ...], text: str) -> str:
    """Return a source with this paragraph about the arguments in the docstring of forward of the class.

    It takes the place of the first paragraph below the summary if that begins with the names of arguments
    and a colon, and stands before it otherwise. A source stays as it is if it has no such class, or the class
    no forward with a docstring.
    """
    found = re.search(
        rf'class {re.escape(class_name)}\(.*?def forward\(.*?"""(?P<docstring>.*?)"""', source, re.DOTALL
    )
    if found is None:
        return source
    summary, *paragraphs = found["docstring"].rstrip().split("\n\n")
    name = f"({'|'.join(names)})"
    if paragraphs and re.match(rf"\s*{name}((, | and ){name})*:", paragraphs[0]):
        del paragraphs[0]
    indent = text[: len(text) - len(text.lstrip())]
    docstring = "\n\n".join([summary, text, *paragraphs]) + f"\n{indent}"
    return f"{source[: found.start('docstring')]}{docstring}{source[found.end('docstring') :]}"


def with_arguments(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a source notebook in which every forward of an exercise says what its arguments may be."""
    for cell in notebook.cells:
        if (exercise := exercise_of(cell)) is not None:
            names, text = exercise.parameters, paragraph(exercise)
            cell.source = with_paragraph(cell.source, exercise.object_name, names, text)
    return notebook


def exercise_of(cell: nbformat.NotebookNode) -> FunctionExercise | None:
    """Return the exercise whose Function is written in a cell; None for any other cell."""
    nbgrader = cell.metadata.get("nbgrader", {})
    exercise = EXERCISES.get(nbgrader["grade_id"]) if nbgrader.get("solution") else None
    return exercise if isinstance(exercise, FunctionExercise) else None


def of_member(family: Family, member_id: str) -> str:
    """Return the paragraph of a member, in the order of the course's exercise."""
    shipped, member = family.shipped, family.member(member_id)
    assert isinstance(shipped, FunctionExercise)
    assert isinstance(member, FunctionExercise)
    return paragraph(member, shipped.parameters)


def of_all_members(family: Family) -> str | None:
    """Return the paragraph that all members have; None where it depends on the choices."""
    texts = {of_member(family, member_id) for member_id in family.members}
    return texts.pop() if len(texts) == 1 else None


def template(family: Family, source: str) -> str:
    """Return the template of a family with the paragraph of all members."""
    shipped = family.shipped
    text = of_all_members(family) if isinstance(shipped, FunctionExercise) else None
    if text is None:
        return source
    assert isinstance(shipped, FunctionExercise)
    return with_paragraph(source, "<<name>>", shipped.parameters, text)


def write_arguments(solutions: Path, templates: Path) -> None:
    """Write the paragraphs into all notebooks of a folder, and all templates, that have others."""
    for path in sorted(solutions.glob("*/*.ipynb")):
        if rewrite(path, with_arguments):
            print(f"arguments written: {path.parent.name}/{path.name}")
    for family in FAMILIES.values():
        path = templates / f"{family.id}.md"
        before = path.read_text(encoding="utf-8")
        if (after := template(family, before)) != before:
            path.write_text(after, encoding="utf-8")
            print(f"arguments written: {path.name}")


if __name__ == "__main__":
    write_arguments(ROOT / "solutions", TEMPLATES)
