"""Begins each lesson's opening cell with a guard that says how to install it; part of `make exercises`.

The opening cell is the first code cell: the guard, the lesson's imports, and the picture that the lesson
begins with. It is folded. Colab and editors open a lesson where the course may not be installed. The site
leaves the guard out.
"""

from __future__ import annotations

from pathlib import Path

import repository
from nbformat import NotebookNode
from rewriting import rewrite

ROOT = Path(__file__).resolve().parent.parent
ID = "opening"
TAGS = {"hide-input", "keep_output"}
# Colab has all that [course] names, in versions that its own parts depend on
GUARD = f"""try:
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


def with_guard(lesson: NotebookNode) -> NotebookNode:
    """Fold a lesson's opening cell and begin it with the guard; raises ValueError if there is none."""
    cell = next(cell for cell in lesson.cells if cell.cell_type == "code")
    if cell.id != ID:
        raise ValueError(f"the first code cell has the id {cell.id}; that of the opening cell is {ID}")
    cell.source = f"{GUARD}\n\n{without_guard(cell.source)}"
    cell.metadata["jupyter"] = {"source_hidden": True}
    cell.metadata["tags"] = sorted({*cell.metadata.get("tags", []), *TAGS})
    return lesson


def without_guard(source: str) -> str:
    """Return the source of an opening cell from its imports on."""
    head, _, rest = source.partition(GUARD[GUARD.rindex("\n") :] + "\n")
    return rest.lstrip("\n") if head.startswith("try:") else source


def main() -> None:
    """Write the guard into all lessons."""
    for path in sorted(ROOT.glob("course/*.ipynb")):
        rewrite(path, with_guard)


if __name__ == "__main__":
    main()
