"""By what a cell or a notebook is known that has lost its metadata or its name: by what it defines."""

from __future__ import annotations

import ast
import json
import re
from functools import cache

from autograder.grading.assignment import Assignment


def signatures(assignment: Assignment) -> dict[str, str]:
    """Return, by the grade_id of each solution cell, the name that its released form defines."""
    found = {}
    for cell in assignment.cells:
        marked = cell["metadata"].get("nbgrader", {})
        released = assignment.released.get(marked.get("grade_id", ""))
        if marked.get("solution") and cell["cell_type"] == "code" and released:
            name = _first_definition(released.source)
            if name:
                found[marked["grade_id"]] = name
    return found


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
    """Return whether a cell defines a name at its top level, be the rest of it Python or not."""
    return _definition(name).search(source) is not None


@cache
def _definition(name: str, before: str = "^") -> re.Pattern[str]:
    of_a_kind = rf"(?:class|def|async def)[ \t]+{name}\b"
    return re.compile(rf"{before}(?:{of_a_kind}|{name}[ \t]*(?::[^=\n]*)?=(?!=))", re.MULTILINE)


def proves(content: bytes, assignment: Assignment) -> bool:
    """Return whether the bytes of a notebook have a grade_id or a definition of the assignment's.

    They are searched as they are, not read as JSON: that costs little, whatever they are.
    """
    text = content.decode("utf-8", "replace")
    patterns = [_definition(name, r'(?:"|\\n)') for name in signatures(assignment).values()]
    return any(pattern.search(text) for pattern in [*map(_marked, assignment.points), *patterns])


@cache
def _marked(grade_id: str) -> re.Pattern[str]:
    return re.compile(rf'"grade_id"\s*:\s*{re.escape(json.dumps(grade_id))}')
