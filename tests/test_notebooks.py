"""Every notebook runs from top to bottom without errors or warnings, and is built as it should be."""

import ast
import re
import symtable
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import lesson_minutes
import nbformat
import opening_cells
import pytest
import stills
from browser import needs_browser, open_browser
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell
from reader_cells import answer_of, check_of, mistakes_of
from reader_site.warm_kernels import warm_kernels

from autograder.exercise import FunctionExercise
from autograder.exercises import EXERCISES

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted((ROOT / "course").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "solutions").glob("*/*.ipynb"))
RELEASED = sorted((ROOT / "exercises").glob("*/*.ipynb"))
WITHOUT_TORCH = ("01", "02", "03")


def name(path: Path) -> str:
    return path.stem


def run(path: Path) -> nbformat.NotebookNode:
    return execute(nbformat.read(path, as_version=4), path.parent)


def execute(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": folder}}).execute()
    return notebook


@pytest.fixture(scope="module")
def warm() -> Iterator[None]:
    """Have notebooks run in forks of a kernel that has imported torch."""
    with warm_kernels():
        yield


def execute_without_torch(notebook: nbformat.NotebookNode, path: Path, cold: pytest.MonkeyPatch) -> None:
    """Execute a notebook; of the lessons that need no torch, none may have imported it at the end."""
    if path.name.startswith(WITHOUT_TORCH):
        cold.delenv("JUPYTER_PATH", raising=False)  # where the kernels that are forks are found
    notebook.cells.append(new_code_cell("import sys\n'torch' in sys.modules"))
    execute(notebook, path.parent)
    seen = notebook.cells.pop()
    assert not path.name.startswith(WITHOUT_TORCH) or shown(seen) == "False"


def shown(cell: nbformat.NotebookNode) -> str:
    return "".join(o.get("data", {}).get("text/plain", "") for o in cell.outputs)


def stderr(notebook: nbformat.NotebookNode) -> str:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.text for output in outputs if output.get("name") == "stderr")


def graded(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]


def points(cell: nbformat.NotebookNode) -> float:
    return float(next(o for o in cell.outputs if o.output_type == "execute_result").data["text/plain"])


@needs_browser
def test_the_still_pictures_of_a_notebook_that_is_converted_are_whole():
    """The converted page shows each as an image, and cuts off what is wider than its cell."""

    def widest(path: Path) -> int:
        return max(map(int, re.findall(r'<svg [^>]*?width=\\"(\d+)', path.read_text())), default=0)

    converted, _ = HTMLExporter().from_filename(str(max(LESSONS, key=widest)))
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.route("**/*", lambda route: route.abort())  # what the page would fetch from elsewhere
        page.set_content(converted, wait_until="domcontentloaded")
        pictures = page.locator(".jp-RenderedSVG > img")
        assert pictures.count() > 0
        for picture in pictures.all():
            width, room = picture.evaluate(
                "async e => { await e.decode(); return [e.offsetWidth, e.parentElement.clientWidth] }"
            )
            assert 300 < width <= room


@pytest.mark.long  # what the site is built from runs too, and must not warn there either
@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_a_lesson_runs_and_its_own_answers_are_right(path, monkeypatch):
    """A cell that the reader is to write runs as it stands, and once more as its folded answer has it."""
    notebook = nbformat.read(path, as_version=4)
    answered = []
    for cell, after in zip(notebook.cells, [*notebook.cells[1:], None], strict=True):
        answered.append(cell)
        if lesson_minutes.is_now_you(cell):
            answered.append(new_code_cell(f"{answer_of(after)}\n{check_of(cell)}", id=f"{cell.id}_answered"))
            answered += mistakes_of(cell)
    notebook.cells = answered
    execute_without_torch(notebook, path, monkeypatch)
    assert stderr(notebook) == ""
    stored = {cell.id: cell.outputs for cell in nbformat.read(path, as_version=4).cells if "outputs" in cell}
    for cell_id, outputs in stills.stills(notebook, path.stem).items():
        assert stills.said(stored[cell_id]) == stills.said(outputs), "run make pictures: a player has changed"
    for cell, after in zip(answered, [*answered[1:], None], strict=True):
        if lesson_minutes.is_now_you(cell):
            assert "not started" in shown(cell).lower(), cell.id
            assert re.search(r"✓ Right|all right", shown(after)), f"{cell.id}: {shown(after)}"


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_a_lesson_opens_with_one_folded_cell_that_shows_what_moves(path):
    """It says how to install the course, too; aims come after the picture."""
    lesson = nbformat.read(path, as_version=4)
    title, first, prediction = lesson.cells[:3]
    assert (title.cell_type, first.id, prediction.cell_type) == ("markdown", opening_cells.ID, "markdown")
    assert len(title.source.split()) <= 75
    assert "Predict" in prediction.source
    assert stills.moves(first)
    written = opening_cells.with_guard(nbformat.from_dict(lesson)).cells[1]
    assert (first.source, first.metadata) == (written.source, written.metadata), "run make exercises"
    with pytest.MonkeyPatch.context() as missing:
        missing.setitem(sys.modules, "course", None)
        with pytest.raises(ModuleNotFoundError, match=r"^The course is not installed: run %pip install "):
            exec(first.source, {})
    exec(opening_cells.GUARD, {})


def scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from scopes(child)


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_no_cell_needs_what_the_reader_writes(path):
    """The site does not run a cell that the reader writes, and a reader may leave it out."""
    given, written = set(), set()
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        table = symtable.symtable(cell.source, cell.id, "exec")
        bound = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
        if lesson_minutes.is_now_you(cell):
            written |= bound - given
            continue
        inner = {s.get_name() for t in scopes(table) for s in t.get_symbols() if s.is_global()}
        read = {s.get_name() for s in table.get_symbols() if s.is_referenced()} | inner
        if "NameError" not in cell.source:  # it says what happens without
            assert not (read & written) - bound - given, cell.id
        given |= bound


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_a_reader_writes_a_line_within_ten_minutes_and_knows_how_long_a_lesson_takes(path):
    lesson = nbformat.read(path, as_version=4)
    asked = lesson_minutes.reading(lesson)
    assert sum(map(lesson_minutes.is_now_you, lesson.cells)) >= 2
    assert asked.before_first_line <= 10
    assert asked.stretch <= 10
    before = [a.source for a, b in pairwise(lesson.cells) if lesson_minutes.is_now_you(b)]
    assert all(text.startswith("**Now you.**") for text in before)
    text = "\n".join(cell.source for cell in lesson.cells if cell.cell_type == "markdown")
    claimed = re.search(r"\*\*Time\.\*\* (\d+) minutes", text)
    assert int(claimed[1]) == asked.claimed, "run make exercises, which writes the minutes"


@pytest.mark.parametrize("document", lesson_minutes.TABLES)
def test_the_table_of_lessons_is_up_to_date(document):
    text = (ROOT / document).read_text()
    assert lesson_minutes.with_table(text) == text, "run make exercises, which writes the table"


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_no_cell_of_a_lesson_shows_more_than_six_lines_of_plotting(path):
    for cell in nbformat.read(path, as_version=4).cells:
        drawing = re.compile(r"\b(plt|figure|axes|axis|panes?|panels?)\b[.,\[ ]")
        if cell.cell_type == "code" and "plt." in cell.source:
            assert len([line for line in cell.source.splitlines() if drawing.search(line)]) <= 6, cell.id


# on the site's pages every check of a solution says that it is right, and nbgrader gives it all points
@pytest.mark.long
@pytest.mark.parametrize("path", SOLUTIONS[: len(WITHOUT_TORCH)], ids=name)
def test_a_solution_gets_every_point(path, monkeypatch):
    notebook = nbformat.read(path, as_version=4)
    execute_without_torch(notebook, path, monkeypatch)
    assert stderr(notebook) == ""
    for cell in graded(notebook):
        assert points(cell) == cell.metadata.nbgrader.points, cell.id


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("path", RELEASED[:4], ids=name)  # test_round_trip has all, as nbgrader runs them
def test_a_released_notebook_runs_and_gets_no_point(path):
    notebook = run(path)
    assert stderr(notebook) == ""
    for cell in graded(notebook):
        assert points(cell) == 0, cell.id


@pytest.mark.shipped
def test_every_exercise_of_a_lesson_stands_once_in_solutions():
    written = {int(path.name[:2]) for path in LESSONS}
    ids = [
        cell.metadata.nbgrader.grade_id
        for path in SOLUTIONS
        for cell in graded(nbformat.read(path, as_version=4))
    ]
    asked = [exercise.id for exercise in EXERCISES.values() if exercise.lesson in written]
    assert sorted(ids) == sorted(f"{exercise}_test" for exercise in asked)


def points_of(path):
    return {
        cell.metadata.nbgrader.grade_id.removesuffix("_test"): cell.metadata.nbgrader.points
        for cell in graded(nbformat.read(path, as_version=4))
    }


@pytest.mark.parametrize("path", SOLUTIONS, ids=name)
def test_points_are_those_of_the_autograder(path):
    given = points_of(path)
    assert given == {exercise: EXERCISES[exercise].max_score for exercise in given}


# the checks accept such a declaration, unless the exercise asks for a second derivative
@pytest.mark.shipped
@pytest.mark.parametrize("path", SOLUTIONS, ids=name)
def test_an_assignment_that_grades_second_derivatives_says_whether_one_may_be_declared_missing(path):
    graded_for = {check for exercise in points_of(path) for check in EXERCISES[exercise].points}
    text = "".join(
        cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"
    )
    assert "once_differentiable" in text or "second order" not in graded_for


@pytest.mark.shipped
@pytest.mark.parametrize("path", SOLUTIONS, ids=name)
def test_an_assignment_whose_functions_are_tried_in_float32_says_so(path):
    asked = [EXERCISES[exercise] for exercise in points_of(path)]
    tried = any(isinstance(e, FunctionExercise) and e.library == "torch" for e in asked)
    text = "".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    assert "float32" in text or not tried


@pytest.mark.shipped
@pytest.mark.parametrize("path", SOLUTIONS, ids=name)
def test_the_points_of_an_assignment_add_up_to_20(path):
    assert sum(points_of(path).values()) == 20


@pytest.mark.shipped
def test_there_are_twelve_lessons_with_an_assignment_each():
    assert [path.stem for path in LESSONS] == [path.parent.name for path in SOLUTIONS]
    assert len(LESSONS) == 12


@pytest.mark.parametrize("path", [*LESSONS, *SOLUTIONS], ids=name)
def test_headings_form_an_outline(path):
    cells = nbformat.read(path, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    levels = [len(marks) for marks in re.findall(r"^(#+) ", text, flags=re.MULTILINE)]
    assert Counter(levels)[1] == 1
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


@pytest.mark.parametrize("path", [*LESSONS, *SOLUTIONS, *RELEASED], ids=name)
def test_links_inside_the_project_resolve(path):
    cells = nbformat.read(path, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not target.startswith(("http://", "https://")):
            assert (path.parent / target).exists(), target


# with a dot at the end, so that none is the beginning of another name
VERSIONS = ("importlib.metadata.", "importlib_metadata.", "torch.version.", "torch.torch_version.")


def versions_read(source: str) -> list[str]:
    """List the names in a cell's code, also in its f-strings, that stand for the version of a package."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, (ast.Name, ast.Attribute)):
            names.append(ast.unparse(node))
        elif isinstance(node, ast.Constant) and node.value == "__version__":  # for getattr
            names.append(node.value)
    return [name for name in names if name.endswith("__version__") or f"{name}.".startswith(VERSIONS)]


@pytest.mark.parametrize(
    "code",
    [
        'assert torch.__version__.startswith("2.13")',
        'print(f"measured on {torch.__version__}")',
        "getattr(torch, '__version__')",
        "from torch import __version__ as release",
        "print(torch.version.__version__)",
        "from torch import version",
        "import torch.version",
        "import importlib.metadata as packages",
        "from importlib import metadata",
        "from importlib.metadata import version",
    ],
)
def test_reading_a_version_is_found(code):
    assert versions_read(code)


def test_a_version_counter_is_not_the_version_of_a_package():
    assert versions_read("print(x._version, torch.autograd.Function, version)") == []


@pytest.mark.parametrize("path", [*LESSONS, *SOLUTIONS, *RELEASED], ids=name)
def test_no_cell_reads_a_version(path):
    """A lesson shows what it measures; its text says which releases gave which result."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            assert versions_read(cell.source) == [], cell.id
