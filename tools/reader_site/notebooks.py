"""Lessons and assignments as a reader sees them: the same cells, solutions folded, pictures described."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import nbformat
import opening_cells
from lesson_minutes import is_now_you
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from reader_site import in_page

HINTS = "_hints"
ANSWER = "<details><summary>Answer</summary>"
CHECKS = re.compile(r"^check\(", re.MULTILINE)
DEFINES = re.compile(r"^(def|class) ", re.MULTILINE)
MARKS = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION\n?", re.MULTILINE)


def lesson(notebook: NotebookNode, path: str) -> NotebookNode:
    """Return a lesson for the site, with its links into `site/` as the site lays those pages out.

    A cell that the reader is to write does not run: it stands there as code, with a link that opens the
    lesson's path in Binder, and before its answer. The page can run it in the browser if it has the tag.
    """
    cells: list[NotebookNode] = []
    for cell in notebook.cells:
        if cells and is_now_you(cells[-1]):
            if not cell.source.startswith(ANSWER):
                raise ValueError(f"cell {cells[-1].id} is the reader's, and no folded answer follows it")
            cells[-1:] = [_to_write(cells[-1], path), cell]
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


def _to_write(cell: NotebookNode, path: str) -> NotebookNode:
    """Frame the reader's cell; site/page_cells/ finds it by what the frame says of it."""
    runs = " data-in-page" if in_page.runs(cell) else ""
    frame = f'<div class="now-you" data-lesson="{PurePosixPath(path).stem}" data-cell="{cell.id}"{runs}>'
    link = f"[Run this cell in Binder](binder:{path})"
    return new_markdown_cell(f"{frame}\n\n```python\n{cell.source}\n```\n\n{link}\n\n</div>", id=cell.id)


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
