"""The answer, the check and the known mistakes of a cell that the reader of a lesson writes."""

from __future__ import annotations

import ast
import re

import nbformat
from nbformat.v4 import new_code_cell


def answer_of(cell: nbformat.NotebookNode) -> str:
    """Return the code of a folded answer."""
    assert cell.source.startswith("<details><summary>Answer</summary>")
    (code,) = re.findall(r"```python\n(.*?)```", cell.source, flags=re.DOTALL)
    return str(code)


def check_of(cell: nbformat.NotebookNode) -> str:
    """Return the last statement of a cell that the reader is to write: the call that checks it."""
    last = ast.parse(cell.source).body[-1]
    return ast.get_source_segment(cell.source, last) or ""


def mistakes_of(cell: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """Return a cell in which each known wrong answer must get its own sentence; none for `diagnose`."""
    call = ast.parse(check_of(cell), mode="eval").body
    assert isinstance(call, ast.Call)
    if ast.unparse(call.func) != "check_answer":
        return []
    given = {str(keyword.arg): ast.unparse(keyword.value) for keyword in call.keywords}
    assert "wrong" in given, f"{cell.id} knows no mistake"
    rest = "".join(f", {name}={value}" for name, value in given.items())
    source = f"""
for sentence, mistaken in ({given["wrong"]}).items():
    verdict = check_answer(mistaken, {ast.unparse(call.args[1])}{rest})
    assert verdict.right is False and verdict.sentence.endswith(sentence), (sentence, verdict)
"""
    return [new_code_cell(source, id=f"{cell.id}_mistakes")]
