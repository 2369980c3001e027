"""The programs that lessons run in the browser, run in CPython without NumPy, PyTorch and the engine."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from lesson_minutes import is_now_you
from nbformat.v4 import new_code_cell, new_notebook
from reader_cells import answer_of, check_of, mistakes_of
from reader_site import in_page

ROOT = Path(__file__).resolve().parent.parent
LESSONS = ("01-reverse-accumulation", "02-engine-that-draws-itself")
LACKING = ("numpy", "torch", "matplotlib", "IPython", "course.engine", "course.graph", "course.plots")


@pytest.fixture
def runner(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "site" / "page_cells")
    import runner

    for name in LACKING:
        monkeypatch.setitem(sys.modules, name, None)
    return runner


def run(runner, program, cell_id: str, source: str, own: dict[str, str] | None = None) -> dict:
    """Run a reader's cell as the page does, with the reader's own sources of cells before it."""
    before = []
    for cell in program["cells"]:
        if cell["id"] == cell_id:
            break
        if "source" in cell:
            before.append({"tries": [cell["source"]]})
        elif "answer" in cell:
            tries = [source for name, source in (own or {}).items() if name == cell["name"]]
            before.append({"name": cell["name"], "tries": [*tries, cell["answer"]]})
    printed: list[str] = []
    request = {"imports": program["imports"], "before": before, "cell": source}
    return {**json.loads(runner.run(json.dumps(request), printed.append)), "printed": "".join(printed)}


def cells_in_page(lesson: nbformat.NotebookNode) -> Iterator[tuple[nbformat.NotebookNode, str]]:
    """Yield each cell that the reader may run in the page, and its answer."""
    for cell, after in zip(lesson.cells, lesson.cells[1:], strict=False):
        if is_now_you(cell) and in_page.runs(cell):
            yield cell, answer_of(after)


@pytest.mark.parametrize("name", LESSONS)
def test_each_cell_of_a_page_judges_its_stub_its_answer_and_known_mistakes(runner, name):
    lesson = nbformat.read(ROOT / "course" / f"{name}.ipynb", as_version=4)
    program = in_page.program(lesson)
    tried = 0
    for cell, answer in cells_in_page(lesson):
        untouched = run(runner, program, cell.id, cell.source)
        assert "Not started" in untouched["html"], cell.id
        assert untouched["right"] is None
        answered = run(runner, program, cell.id, f"{answer}\n{check_of(cell)}")
        assert "Right" in answered["html"], cell.id
        assert answered["right"] is True
        (mistakes,) = mistakes_of(cell)
        assert "error" not in run(runner, program, cell.id, mistakes.source), cell.id
        tried += 1
    assert tried >= 3


def test_a_cell_runs_with_the_readers_earlier_ones_or_with_their_answers(runner):
    program = {
        "imports": "import math",
        "cells": [
            {"id": "first", "name": "half", "answer": "half = 0.5"},
            {"id": "given", "source": "print('not shown'); double = 4 * half"},
            {"id": "last", "name": "whole"},
        ],
    }
    source = "print('hello', end='')\ndouble * half"
    for own, value, answers in [
        ({}, "1.0", ["half"]),
        ({"half": "half = 1"}, "4", []),
        ({"half": "1 / 0"}, "1.0", ["half"]),
    ]:
        found = run(runner, program, "last", source, own)
        assert found == {"from_answers": answers, "text": value, "printed": "hello"}


@pytest.mark.parametrize(
    ("source", "sentence", "lines"),
    [
        ("x = 1\ny = x +", "SyntaxError in line 2: invalid syntax", ["line 2: y = x +"]),
        ("\ny", "NameError in line 2: name 'y' is not defined", ["line 2: y"]),
        (
            "def f():\n    raise ValueError\nmath.fsum([f()])",
            "ValueError in line 2",
            ["line 3: math.fsum([f()])", "line 2 in f: raise ValueError"],
        ),
        ("raise SystemExit(3)", "SystemExit in line 1: 3", ["line 1: raise SystemExit(3)"]),
    ],
)
def test_an_error_names_the_readers_line(runner, source, sentence, lines):
    found = run(runner, {"imports": "import math", "cells": []}, "only", source)
    assert found["error"] == {"sentence": sentence, "lines": lines}


def test_endless_recursion_and_endless_output_are_told_in_a_few_lines(runner):
    program = {"imports": "", "cells": []}
    deep = run(runner, program, "only", "def f(n):\n    return f(n + 1)\nf(0)")
    assert "RecursionError in line 2: maximum recursion depth" in deep["error"]["sentence"]
    assert len(deep["error"]["lines"]) == 10
    long = run(runner, program, "only", "for i in range(100_000): print(i)")
    assert 20_000 <= len(long["printed"]) < 20_100
    assert "left out" in long["printed"]


def test_a_cell_that_imports_what_the_page_lacks_cannot_have_the_tag():
    opening = new_code_cell("import math", id="opening")
    cell = new_code_cell("from course.engine import Tensor", metadata={"tags": ["in-page"]})
    with pytest.raises(ValueError, match=r"which has no 'from course\.engine import Tensor'"):
        in_page.program(new_notebook(cells=[opening, cell]))
