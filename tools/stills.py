"""Stores a still picture of each player and animation in the lessons; part of `make pictures`.

GitHub, nbviewer, Colab and editors show a notebook without running it. There the picture stands where the
player would, with a link to the page of the site on which it moves. Running the cell replaces it.
"""

from __future__ import annotations

import ast
import copy
import re
from functools import partial
from pathlib import Path

import nbformat
import repository
from docutils.nodes import make_id
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_output
from rewriting import rewrite

ROOT = Path(__file__).resolve().parent.parent
LESSONS = ROOT / "course"
KEPT = "keep_output"  # the tag by which nbstripout knows what to leave
LARGEST = 30_000  # bytes of a picture
SVG, PNG = "image/svg+xml", "image/png"
MOVES = ("play", "animation")  # the functions whose pictures move
HEADING = re.compile(r"^#{1,3} (.+)$", re.MULTILINE)
# what depends on the build of Graphviz that lays out a picture
GEOMETRY = re.compile(r' (?:d|points|[xy]\d?|[cr][xy]|r|width|height|viewBox|transform)="[^"]*"')


def moves(cell: NotebookNode) -> bool:
    """Tell whether the value of a code cell is a player or an animation."""
    statements = ast.parse(cell.source).body
    last = getattr(statements[-1], "value", None) if statements else None
    return isinstance(last, ast.Call) and isinstance(last.func, ast.Name) and last.func.id in MOVES


def is_still(cell: NotebookNode) -> bool:
    """Tell whether a cell stores a small enough still picture, the link to the site, and nothing else."""
    kinds = [set(output.get("data", {})) for output in cell.outputs]
    return (
        kinds in [[{"text/plain", kind}, {"text/markdown", "text/plain"}] for kind in (SVG, PNG)]
        and len(_picture(cell.outputs[0])[1]) <= LARGEST
        and KEPT in cell.metadata.get("tags", [])
        and cell.execution_count is None
    )


def run(path: Path) -> NotebookNode:
    """Return a lesson with the outputs of all its cells."""
    lesson = nbformat.read(path, as_version=4)
    NotebookClient(lesson, timeout=180, resources={"metadata": {"path": path.parent}}).execute()
    return lesson


def stills(executed: NotebookNode, name: str) -> dict[str, list[NotebookNode]]:
    """Return what each cell with a player is to store, by the cell's id; `name` is that of the lesson's file.

    Raises ValueError for a picture that is too large.
    """
    found, heading = {}, ""
    for cell in executed.cells:
        if cell.cell_type == "markdown":
            heading = (HEADING.findall(cell.source) or [heading])[-1]
        elif cell.cell_type == "code" and moves(cell):
            shown = cell.outputs[-1].data
            kind, drawn = _picture(cell.outputs[-1])
            if len(drawn) > LARGEST:
                raise ValueError(f"{name}: the picture of cell {cell.id} has more than {LARGEST:,} bytes")
            page = f"{repository.site()}course/{name}.html#{make_id(heading)}"
            link = {"text/markdown": f"[See it move]({page}), or run this cell.", "text/plain": page}
            # JupyterLab shows the words until the cell runs: they must not tell what the lesson asks first
            picture = {kind: drawn, "text/plain": shown["text/plain"].partition(":")[0]}
            found[cell.id] = [new_output("display_data", data=data) for data in (picture, link)]
    return found


def _picture(output: NotebookNode) -> tuple[str, str]:
    """Return the kind of an output's still picture, and the picture."""
    return next((kind, output.data[kind]) for kind in (SVG, PNG) if kind in output.data)


def said(outputs: list[NotebookNode]) -> list[dict[str, str]]:
    """Return what outputs show, without where it stands in a picture; of pixels nothing is compared."""
    return [
        {kind: GEOMETRY.sub("", text) for kind, text in output.data.items() if kind != PNG}
        for output in outputs
    ]


def with_stills(lesson: NotebookNode, pictures: dict[str, list[NotebookNode]]) -> NotebookNode:
    """Return a lesson that stores these pictures; one that shows the same keeps its own."""
    lesson = copy.deepcopy(lesson)
    for cell in lesson.cells:
        if cell.id in pictures:
            if not is_still(cell) or said(cell.outputs) != said(pictures[cell.id]):
                cell.outputs = pictures[cell.id]
            cell.metadata["tags"] = sorted({*cell.metadata.get("tags", []), KEPT})
            cell.execution_count = None
    return lesson


def main() -> None:
    """Store the pictures of all lessons in which something moves."""
    for path in sorted(LESSONS.glob("*.ipynb")):
        lesson = nbformat.read(path, as_version=4)
        if any(cell.cell_type == "code" and moves(cell) for cell in lesson.cells):
            pictures = stills(run(path), path.stem)
            rewrite(path, partial(with_stills, pictures=pictures))
            print(f"{path.stem}: {', '.join(pictures)}", flush=True)


if __name__ == "__main__":
    main()
