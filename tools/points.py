"""Writes the points of every exercise into solutions/, from the exercises' data; part of `make exercises`.

They stand in the graded cell's metadata, under the exercise's title and in the assignment's table; the sums
of its points and minutes stand above the table.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from rewriting import rewrite

from autograder.exercises import find

ROOT = Path(__file__).resolve().parent.parent
STEP = 5  # minutes: the estimates are no more exact than that
ROW = re.compile(r"^\| \d+ \|.*\| (?P<minutes>\d+) \| (?P<points>[\d.]+) \|$", re.MULTILINE)
SUMS = re.compile(r"[\d.]+ points, about \d+ minutes")


def with_points(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a source notebook in which every exercise has the points of its data."""
    marked = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    cells = {cell.id: cell for cell in notebook.cells}
    for cell in marked:
        exercise_id = cell.metadata.nbgrader.grade_id.removesuffix("_test")
        points = find(exercise_id).max_score
        cell.metadata.nbgrader.points = int(points) if points.is_integer() else points
        why = cells[f"{exercise_id}_why"]
        why.source = re.sub(r"(?<= minutes, )[\d.]+(?= points?\.\*)", f"{points:g}", why.source, count=1)
        row = rf"^(\| \d+ \| `{exercise_id}` \|.*\| )[\d.]+( \|)$"
        title = notebook.cells[0]
        title.source = re.sub(row, rf"\g<1>{points:g}\g<2>", title.source, flags=re.MULTILINE)
    notebook.cells[0].source = _with_sums(notebook.cells[0].source)
    return notebook


def _with_sums(title: str) -> str:
    rows = list(ROW.finditer(title))
    points = sum(float(row["points"]) for row in rows)
    minutes = STEP * round(sum(int(row["minutes"]) for row in rows) / STEP)
    return SUMS.sub(f"{points:g} points, about {minutes} minutes", title, count=1)


def write_points(solutions: Path) -> None:
    """Write the points into all notebooks of a folder that have others."""
    for path in sorted(solutions.glob("*/*.ipynb")):
        if rewrite(path, with_points):
            print(f"points written: {path.parent.name}/{path.name}")


if __name__ == "__main__":
    write_points(ROOT / "solutions")
