"""Lessons and assignments as a reader sees them: the same cells, solutions folded, pictures described."""

from __future__ import annotations

import re

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

HINTS = "_hints"
MARKS = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION\n?", re.MULTILINE)


def lesson(notebook: NotebookNode) -> NotebookNode:
    """Return a lesson for the site."""
    cells = [_described(cell) for cell in notebook.cells]
    return _notebook(notebook, cells)


def assignment(solutions: NotebookNode, released: NotebookNode) -> NotebookNode:
    """Return an assignment for the site.

    The stub that students receive stands in the text, then come the hints and the solution, both folded. The
    solution is what runs, and `check` shows its verdict on it; the graded cell is told apart and not run.
    Raises KeyError if the released notebook lacks a cell of the solutions.
    """
    stubs = {cell.id: cell.source for cell in released.cells}
    hints = {cell.id: cell for cell in solutions.cells if cell.id.endswith(HINTS)}
    cells: list[NotebookNode] = []
    for cell in solutions.cells:
        role = cell.metadata.get("nbgrader", {})
        if cell.id in hints:
            continue
        if role.get("solution"):
            cells.append(_fenced(f"{cell.id}_stub", stubs[cell.id]))
            cells += [hints[name] for name in (cell.id + HINTS,) if name in hints]
            cells.append(_folded(cell))
        elif role.get("grade"):
            cells.append(_graded(cell, role["points"]))
        else:
            cells.append(_described(cell))
    return _notebook(solutions, cells)


def _notebook(original: NotebookNode, cells: list[NotebookNode]) -> NotebookNode:
    return nbformat.from_dict({**original, "cells": cells})


def _described(cell: NotebookNode) -> NotebookNode:
    """Hand the text alternative of a picture, which stands in the cell's metadata, to MyST-NB."""
    if "alt" in cell.metadata:
        cell.metadata["mystnb"] = {"image": {"alt": cell.metadata["alt"]}}
    return cell


def _folded(cell: NotebookNode) -> NotebookNode:
    name = cell.metadata["nbgrader"]["grade_id"]
    cell.source = MARKS.sub("", cell.source).rstrip()
    cell.metadata["tags"] = ["hide-input", "solution"]
    prompt = f"Solution of {name}"
    cell.metadata["mystnb"] = {"code_prompt_show": prompt, "code_prompt_hide": prompt}
    return cell


def _graded(cell: NotebookNode, points: float) -> NotebookNode:
    many = f"{points:g} point" + ("" if points == 1 else "s")
    told = f"*Graded, {many}.* In the assignment this cell is locked, and its value is the score:"
    return _fenced(cell.id, cell.source, told)


def _fenced(cell_id: str, code: str, before: str = "") -> NotebookNode:
    return new_markdown_cell(f"{before}\n\n```python\n{code}\n```".strip(), id=cell_id)
