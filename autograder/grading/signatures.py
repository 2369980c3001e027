"""Identifies a cell without metadata, or a renamed notebook, by the names that it defines."""

import ast
import json
import re
from functools import cache

from autograder.grading.assignment import Assignment


def signatures(assignment: Assignment) -> dict[str, str]:
    """Return the first name that each solution cell's released source defines, by grade_id."""
    names = {}
    for cell in assignment.cells:
        marked = cell["metadata"].get("nbgrader", {})
        released = assignment.released.get(marked.get("grade_id", ""))
        if marked.get("solution") and cell["cell_type"] == "code" and released:
            name = _first_definition(released.source)
            if name:
                names[marked["grade_id"]] = name
    return names


@cache
def _first_definition(source: str) -> str:
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return ""
    for statement in statements:
        match statement:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                return name
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                return name
    return ""


def defines(source: str, name: str) -> bool:
    """Return whether a cell defines a name at its top level; the cell need not be valid Python."""
    return _definition(name).search(source) is not None


@cache
def _definition(name: str, before: str = "^") -> re.Pattern[str]:
    of_a_kind = rf"(?:class|def|async def)[ \t]+{name}\b"
    return re.compile(rf"{before}(?:{of_a_kind}|{name}[ \t]*(?::[^=\n]*)?=(?!=))", re.MULTILINE)


def proves(content: bytes, assignment: Assignment) -> bool:
    """Return whether the bytes of a notebook contain a grade_id or a definition of the assignment.

    The bytes are searched and not parsed as JSON, so any content costs little.
    """
    text = content.decode("utf-8", "replace")
    patterns = [_definition(name, r'(?:"|\\n)') for name in signatures(assignment).values()]
    return any(pattern.search(text) for pattern in [*map(_marked, assignment.points), *patterns])


@cache
def _marked(grade_id: str) -> re.Pattern[str]:
    return re.compile(rf'"grade_id"\s*:\s*{re.escape(json.dumps(grade_id))}')
