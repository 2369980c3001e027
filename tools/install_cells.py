"""Writes the first code cell of each lesson, which says how to install the course; part of `make exercises`.

Colab and editors open a lesson where the course may not be installed. The site leaves the cell out.
"""

from __future__ import annotations

from pathlib import Path

import repository
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from rewriting import rewrite

ROOT = Path(__file__).resolve().parent.parent
ID = "installed"
# Colab has all that [course] names, in versions that its own parts depend on
SOURCE = f"""try:
    __import__("course")
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "The course is not installed: run "
        '%pip install "write-your-own-backward[course] @ '
        'git+{repository.address()}" '
        "in a new cell (on Colab, so that it keeps its PyTorch: %pip install "
        "git+{repository.address()}), "
        "then run this cell again."
    ) from None"""


def with_install_cell(lesson: NotebookNode) -> NotebookNode:
    """Return a lesson whose first code cell is this one."""
    cells = [cell for cell in lesson.cells if cell.id != ID]
    first = next(place for place, cell in enumerate(cells) if cell.cell_type == "code")
    cells.insert(first, new_code_cell(SOURCE, id=ID, metadata={"tags": ["remove-cell"]}))
    lesson.cells = cells
    return lesson


def main() -> None:
    """Write the cell into all lessons."""
    for path in sorted(ROOT.glob("course/*.ipynb")):
        rewrite(path, with_install_cell)


if __name__ == "__main__":
    main()
