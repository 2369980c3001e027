"""Lessons and assignments as a reader sees them: the same cells, solutions folded, pictures described."""

from __future__ import annotations

import re

import nbformat
import opening_cells
from lesson_minutes import is_now_you
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

HINTS = "_hints"
ANSWER = "<details><summary>Answer</summary>"
CHECKS = re.compile(r"^check\(", re.MULTILINE)
DEFINES = re.compile(r"^(def|class) ", re.MULTILINE)
MARKS = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION\n?", re.MULTILINE)


def lesson(notebook: NotebookNode) -> NotebookNode:
    """Return a lesson for the site, with its links into `site/` as the site lays those pages out.

    A cell that the reader is to write cannot be run here: it is folded together with its answer.
    """
    cells: list[NotebookNode] = []
    for cell in notebook.cells:
        if cells and is_now_you(cells[-1]):
            cells[-1] = _with_answer(cells[-1], cell)
        else:
            cells.append(_linked(_described(cell)))
        if cell.id == opening_cells.ID:
            cell.source = opening_cells.without_guard(cell.source)
    return _notebook(notebook, cells)


def assignment(solutions: NotebookNode, released: NotebookNode) -> NotebookNode:
    """Return an assignment for the site.

    The text shows the stub that students receive, followed by the hints and the solution, both folded. The
    solution runs, and `check` shows the verdict on it; the graded cell is shown separately and does not run.
    Raises KeyError if the released notebook lacks a cell of the solutions.
    """
    stubs = {cell.id: cell.source for cell in released.cells}
    solutions.cells = [_linked(cell) for cell in solutions.cells]
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
        elif CHECKS.search(cell.source) and cell.cell_type == "code":
            cells.append(_checked(cell))
        else:
            cells.append(_described(cell))
    return _notebook(solutions, cells)


def unsolved(released: NotebookNode) -> NotebookNode:
    """Return an assignment for a site without solutions: as students receive it, and nothing of it runs."""
    cells = [_fenced(c.id, c.source) if c.cell_type == "code" else _linked(c) for c in released.cells]
    return _notebook(released, cells)


def _notebook(original: NotebookNode, cells: list[NotebookNode]) -> NotebookNode:
    return nbformat.from_dict({**original, "cells": cells})


def _with_answer(cell: NotebookNode, answer: NotebookNode) -> NotebookNode:
    """Fold the reader's cell and its answer, which stands in the next cell, into one; raises ValueError."""
    if not answer.source.startswith(ANSWER):
        raise ValueError(f"cell {cell.id} is the reader's, and the cell after it is no folded answer")
    fold = "<details><summary>The cell to write, and its answer</summary>"
    text = answer.source.removeprefix(ANSWER).lstrip()
    return new_markdown_cell(f"{fold}\n\n```python\n{cell.source}\n```\n\n**Answer.**\n\n{text}", id=cell.id)


def _linked(cell: NotebookNode) -> NotebookNode:
    if cell.cell_type == "markdown":
        cell.source = re.sub(r"\]\(((?:\.\./)+)site/", r"](\1", cell.source)
    return cell


def _described(cell: NotebookNode) -> NotebookNode:
    """Hand the text alternative of a picture, which stands in the cell's metadata, to MyST-NB.

    The code of a picture is folded, unless it defines something that the text is about.
    """
    if "alt" in cell.metadata:
        cell.metadata["mystnb"] = {"image": {"alt": cell.metadata["alt"]}}
        if not DEFINES.search(cell.source):
            told = "The code of this picture"
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "hide-input"]
            cell.metadata["mystnb"] |= {"code_prompt_show": told, "code_prompt_hide": told}
    return cell


def _folded(cell: NotebookNode) -> NotebookNode:
    name = cell.metadata["nbgrader"]["grade_id"]
    cell.source = MARKS.sub("", cell.source).rstrip()
    cell.metadata["tags"] = ["hide-input", "solution"]
    prompt = f"Solution of {name}"
    cell.metadata["mystnb"] = {"code_prompt_show": prompt, "code_prompt_hide": prompt}
    return cell


def _checked(cell: NotebookNode) -> NotebookNode:
    """Fold a verdict on the solution: a stub is not to be followed by 'all right'."""
    cell.metadata["tags"] = ["hide-cell"]
    prompt = "What check says of the solution"
    cell.metadata["mystnb"] = {"code_prompt_show": prompt, "code_prompt_hide": prompt}
    return cell


def _graded(cell: NotebookNode, points: float) -> NotebookNode:
    many = f"{points:g} point" + ("" if points == 1 else "s")
    told = f"*Graded, {many}.* This cell is locked in the assignment, and its value is the score:"
    return _fenced(cell.id, cell.source, told)


def _fenced(cell_id: str, code: str, before: str = "") -> NotebookNode:
    return new_markdown_cell(f"{before}\n\n```python\n{code}\n```".strip(), id=cell_id)
