"""What `make exercises` writes is what is there."""

import runpy
import subprocess
import sys
from pathlib import Path

import arguments
import nbformat
import points
import pytest

from autograder.exercise import FunctionExercise
from autograder.exercises import FAMILIES
from autograder.variants.texts import texts

ROOT = Path(__file__).resolve().parent.parent
OF_FUNCTIONS = {n: family for n, family in FAMILIES.items() if isinstance(family.shipped, FunctionExercise)}


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".ipynb_checkpoints" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_exercises_are_what_make_exercises_writes(tmp_path):
    subprocess.run([sys.executable, ROOT / "tools" / "release.py", "--into", tmp_path / "new"], check=True)
    assert tree(tmp_path / "new") == tree(ROOT / "exercises"), "run `make exercises` and commit the result"


def test_the_second_ways_are_those_of_the_solutions():
    written = ROOT / "autograder" / "exercises" / "second_ways.json"
    tool = runpy.run_path(str(ROOT / "tools" / "second_ways.py"))
    told = tool["as_text"](tool["second_ways"](ROOT / "solutions"))
    assert told == written.read_text(encoding="utf-8"), "run `make exercises` and commit the result"


@pytest.mark.parametrize("path", sorted(ROOT.glob("solutions/*/*.ipynb")), ids=lambda path: path.stem)
def test_points_and_minutes_are_those_of_the_data_and_their_sums(path):
    notebook = nbformat.read(path, as_version=4)
    before = nbformat.writes(notebook)
    assert nbformat.writes(points.with_points(notebook)) == before, (
        "run `make exercises` and commit the result"
    )


def test_an_exercise_less_is_taken_off_the_sums():
    notebook = nbformat.read(ROOT / "solutions" / "04-first-function" / "04-exercises.ipynb", as_version=4)
    title = notebook.cells[0]
    sums = points.SUMS.search(title.source)[0]
    dropped = next(row for row in points.ROW.finditer(title.source))
    title.source = title.source.replace(f"{dropped[0]}\n", "")
    said = points.SUMS.search(points.with_points(notebook).cells[0].source)[0]
    assert float(said.split()[0]) == float(sums.split()[0]) - float(dropped["points"])
    assert abs(int(sums.split()[3]) - int(dropped["minutes"]) - int(said.split()[3])) <= points.STEP


@pytest.mark.parametrize("path", sorted(ROOT.glob("solutions/*/*.ipynb")), ids=lambda path: path.stem)
def test_the_docstring_of_forward_says_of_the_arguments_what_the_domain_says(path):
    notebook = nbformat.read(path, as_version=4)
    before = nbformat.writes(notebook)
    assert nbformat.writes(arguments.with_arguments(notebook)) == before, (
        "run `make exercises` and commit the result"
    )


def test_the_docstring_of_each_function_has_the_paragraph():
    for path in ROOT.glob("solutions/*/*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            exercise = arguments.exercise_of(cell)
            if exercise is not None and f"class {exercise.object_name}(" in cell.source:
                assert arguments.paragraph(exercise) in cell.source, exercise.id


@pytest.mark.parametrize("name", OF_FUNCTIONS)
def test_the_text_of_a_member_says_of_the_arguments_what_its_domain_says(name):
    family = OF_FUNCTIONS[name]
    different = {arguments.of_member(family, one): one for one in family.members}
    for paragraph, one in different.items():
        assert paragraph in texts(family.member(one))["solution"], (
            f"run `make exercises`; if it changes nothing, correct autograder/variants/templates/{name}.md"
        )


def test_a_domain_that_says_something_else_changes_the_paragraph_alone():
    source = '''class Double(Function):
    """Two times x."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        """Return 2x.

        x: shape (n,), float64.

        x may be a view: this is the author's own.
        """
'''
    text = "        x: shape (n, m), float64."
    after = arguments.with_paragraph(source, "Double", ("x",), text)
    assert after == source.replace("        x: shape (n,), float64.", text)
    assert arguments.with_paragraph(after, "Double", ("x",), text) == after


def test_the_paragraph_is_added_where_there_is_none():
    source = 'class Double(Function):\n    def forward(ctx, x):\n        """Return 2x.{own}"""\n'
    text = "        x: any shape."
    for own in ("", "\n\n        x may be a view: this is the author's own.\n        "):
        after = arguments.with_paragraph(source.format(own=own), "Double", ("x",), text)
        assert after == source.format(own=f"\n\n{text}{own or chr(10) + ' ' * 8}")


def test_a_cell_without_the_class_stays_as_it_is():
    source = 'class Triple(Function):\n    def forward(ctx, x):\n        """Return 3x."""\n'
    assert arguments.with_paragraph(source, "Double", ("x",), "        x: any shape.") == source
