"""The programs that a lesson's page runs in the browser: those of its cells with the tag `in-page`.

The page runs a reader's cell with this tag after the cells with this tag that stand before it. They must
import nothing but Python's standard library and `course.now_you`; of the lesson's opening cell, the page runs
those imports alone.
"""

from __future__ import annotations

import ast
import re
import sys
from typing import Any

import opening_cells
from lesson_minutes import is_now_you
from nbformat import NotebookNode

TAG = "in-page"
CHECKS = "course.now_you"
CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)


def runs(cell: NotebookNode) -> bool:
    """Tell whether the page runs this cell."""
    return TAG in cell.metadata.get("tags", [])


def program(lesson: NotebookNode) -> dict[str, Any] | None:
    """Return what the page needs in order to run the cells of a lesson; None if it runs none.

    It has the lesson's `imports` and its `cells` in order, each with its `id` and its `source`; one that the
    reader writes has in place of the source the `name` that it defines, and the `answer` if a later cell uses
    that name. If the page does not run the reader's cell, the answer is its source. Raises ValueError for a
    cell that imports what the page does not have.
    """
    if not any(map(runs, lesson.cells)):
        return None
    cells = []
    for place, cell in enumerate(lesson.cells):
        if runs(cell):
            _require_imports(cell)
        if is_now_you(cell):
            name, answer = _defined(cell), CODE.findall(lesson.cells[place + 1].source)[0]
            used = any(name in _names(later) for later in lesson.cells[place + 1 :] if runs(later))
            if runs(cell):
                cells.append({"id": cell.id, "name": name} | ({"answer": answer} if used else {}))
            elif used:
                cells.append({"id": cell.id, "source": answer})
        elif runs(cell):
            cells.append({"id": cell.id, "source": cell.source})
    return {"imports": _imports(lesson), "cells": cells}


def _imports(lesson: NotebookNode) -> str:
    (opening,) = (cell for cell in lesson.cells if cell.id == opening_cells.ID)
    wanted = [node for node in ast.parse(opening.source).body if _is_here(node)]
    return "\n".join(map(ast.unparse, wanted))


def _require_imports(cell: NotebookNode) -> None:
    for node in ast.walk(ast.parse(cell.source)):
        if isinstance(node, ast.Import | ast.ImportFrom) and not _is_here(node):
            raise ValueError(f"cell {cell.id} runs in the page, which has no {ast.unparse(node)!r}")


def _is_here(node: ast.AST) -> bool:
    """Tell whether a statement is an import of what the page has."""
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    else:
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    known = [name == CHECKS or name.partition(".")[0] in sys.stdlib_module_names for name in modules]
    return bool(known) and all(known)


def _defined(cell: NotebookNode) -> str:
    """Return the name that a reader's cell defines: its first class, function or variable."""
    first = ast.parse(cell.source).body[0]
    if isinstance(first, ast.ClassDef | ast.FunctionDef):
        return first.name
    if isinstance(first, ast.Assign) and isinstance(first.targets[0], ast.Name):
        return first.targets[0].id
    raise ValueError(f"cell {cell.id} does not begin with what the reader defines")


def _names(cell: NotebookNode) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Name)}
