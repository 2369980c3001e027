"""Honest work that lost its metadata, its name, or left a mode on has the points that it deserves."""

import json
import os

import nbformat
import pytest
from made_course import ASSIGNMENT, run
from shipped import ROOT

from autograder.grading.assignment import Source, load
from autograder.grading.rebuild import rebuild
from autograder.grading.signatures import proves
from autograder.grading.submission import cells_of

from .conftest import ACourse

ASSIGNMENTS = sorted(path for path in (ROOT / "solutions").glob("*/*.ipynb"))
IMPORTS = """
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

"""
LEFT_ON = """
import warnings
import numpy

torch.inference_mode().__enter__()
torch.set_default_device("meta")
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.autograd.set_detect_anomaly(True)
torch.use_deterministic_algorithms(True)
torch.autocast("cpu").__enter__()
torch.set_num_threads(3)
numpy.seterr(all="raise")
warnings.simplefilter("error")
"""


def _stripped(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return the notebook as an editor may leave it: no metadata, other ids, no empty line at an end."""
    cells = [
        nbformat.v4.new_code_cell if c.cell_type == "code" else nbformat.v4.new_markdown_cell
        for c in notebook.cells
    ]
    sources = [cell.source.rstrip() + "\n" for cell in notebook.cells]
    return nbformat.v4.new_notebook(cells=[make(source) for make, source in zip(cells, sources, strict=True)])


@pytest.mark.parametrize("solved", ASSIGNMENTS, ids=lambda path: path.parent.name)
def test_every_cell_is_known_by_what_it_defines(solved):
    """The notebook that is run is the instructor's own, whichever of the marks of its cells is left."""
    exercises = json.loads((ROOT / "exercises" / solved.parent.name / solved.name).read_text())["cells"]
    marked = [(cell, cell["metadata"].get("nbgrader")) for cell in exercises]
    released = {m["grade_id"]: Source("".join(cell["source"]), None) for cell, m in marked if m}
    assignment = load(solved, solved.parent.name, released)
    plain = _stripped(nbformat.read(solved, 4))
    content = nbformat.writes(plain).encode()
    assert proves(content, assignment)
    assert not any(proves(path.read_bytes(), assignment) for path in ASSIGNMENTS if path != solved)
    rebuilt = rebuild(assignment, cells_of(content))
    assert [c["source"].rstrip() for c in rebuilt.cells] == [c["source"].rstrip() for c in assignment.cells]
    assert [note.partition(": ")[2] for note in rebuilt.notes] == [
        "The cell has lost its metadata; it was identified by the name that it defines."
    ]


def _hand_in(course: ACourse) -> None:
    right = course.right()
    course.submit("stripped", _stripped(course.notebook(right)))
    course.submit("untouched", _stripped(course.released))
    with_ids = course.notebook(right)
    for cell in with_ids.cells:
        cell.metadata = {}
    course.submit("only_ids", with_ids)
    twice = _stripped(course.notebook(right))
    twice.cells.insert(2, nbformat.v4.new_code_cell("class Affine(Function):\n    pass\n"))
    course.submit("twice", twice)
    # an own cell below, with a helper, while the cell that was meant is as it was released
    below = course.notebook({})
    helped = right["affine"].replace("return x * scale + shift", "return doubled(x) / 2 * scale + shift")
    below.cells.append(nbformat.v4.new_code_cell("def doubled(x):\n    return 2 * x\n"))
    below.cells.append(nbformat.v4.new_code_cell(helped))
    course.submit("below", below)
    named_otherwise = _stripped(course.notebook({"affine": right["affine"].replace("Affine", "MyAffine")}))
    course.submit("named_otherwise", named_otherwise)
    for student, name in (("browser", "04-exercises (1)"), ("homework", "homework4")):
        course.submit(student, right).rename(course.folder(student) / f"{name}.ipynb")
    other = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x = 1")])
    nbformat.write(other, course.folder("browser") / "notes.ipynb")
    for number, solved in enumerate(({}, right)):
        path = course.submit("newest", solved)
        os.utime(path, (number, number))
        path.rename(course.folder("newest") / f"copy{number}\x1b.ipynb")
    course.submit("both", right)
    nbformat.write(course.released, course.folder("both") / "04-exercises-1.ipynb")
    course.submit("modes", right | {"kill_head": right["kill_head"] + LEFT_ON})


# (points, what is said of it)
EXPECTED = {
    "stripped": (20, "kill_head, abs_product, affine, scale_rows, linear: The cell has lost its metadata"),
    "only_ids": (20, "The cell has lost its metadata; it was identified by its cell id."),
    "untouched": (0, ""),
    "twice": (20, "affine: Several cells define Affine; the last one counts."),
    "below": (3, "affine: The answer is in a different cell; that cell counts."),
    "named_otherwise": (0, "The cell affine is missing."),
    "browser": (
        20,
        "04-exercises (1).ipynb was graded as 04-exercises.ipynb, because it has the same cells.",
    ),
    "homework": (20, "homework4.ipynb was graded as 04-exercises.ipynb, because it has the same cells."),
    "newest": (
        20,
        r"copy1\x1b.ipynb was graded as 04-exercises.ipynb, because it has the same cells. The newest",
    ),
    "both": (
        20,
        "04-exercises.ipynb was graded, not 04-exercises-1.ipynb, which contains the assignment too.",
    ),
    "modes": (20, ""),
}


@pytest.fixture(scope="module")
def graded(course):
    _hand_in(course)
    said = run(course.path, "autograder", "grade", ASSIGNMENT, "--json", "--jobs", "1")
    course.rows = {row["student"]: row for row in map(json.loads, said.stdout.splitlines())}
    course.said = said.stderr
    return course


@pytest.mark.parametrize("student", EXPECTED)
def test_the_points_and_the_remark(graded, student):
    points, remark = EXPECTED[student]
    row = graded.rows[student]
    assert row["score"] == points
    assert remark in " ".join(row["notes"])
    assert bool(remark) == bool(row["notes"])
    assert bool(remark) == (f"  {student}: " in graded.said)
    assert row["needs_person"] == (["affine"] if student == "named_otherwise" else [])


@pytest.mark.long
def test_nbgrader_gives_the_same(graded, new_course):
    from .test_class import grades

    _hand_in(new_course)
    run(new_course.path, "nbgrader", "autograde", ASSIGNMENT)
    assert grades(new_course) == grades(graded)


def test_a_file_that_leaves_modes_on_is_right(graded, tmp_path):
    (tmp_path / "work.py").write_text(IMPORTS + graded.right("affine")["affine"] + LEFT_ON)
    run(tmp_path, "autograder", "check", "affine", "work.py")


def test_a_mode_that_is_left_on_is_put_back_for_who_asked():
    import torch

    from autograder import check

    class Affine(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, scale, shift):
            ctx.scale = scale
            return x * scale + shift

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output * ctx.scale, None, None

    with torch.inference_mode(), torch.device("meta"):
        torch.default_generator.manual_seed(5)
        before = torch.default_generator.get_state()
        assert check("affine", Affine).passed
        assert torch.is_inference_mode_enabled()
        assert torch.get_default_device().type == "meta"
        assert before.device.type == "cpu"
        assert torch.default_generator.get_state().numpy().tobytes() == before.numpy().tobytes()


def test_the_engine_records_again_whatever_the_work_before_it_has_left():
    """A `no_grad` that an interrupted loop could not leave is the next answer's concern no more."""
    from autograder.check import check
    from course.engine import Tensor, no_grad

    leave = no_grad()

    def accumulate(tensor, gradient):
        leave.__enter__()

    def topological_order(tensor):
        waiting, order = [tensor.grad_fn], []
        while waiting:
            node = max(waiting, key=lambda one: one.number)
            waiting.remove(node)
            order.append(node)
            parents = {parent for parent, _ in node.next_functions if parent is not None}
            waiting += [parent for parent in parents if parent not in waiting]
        return order

    assert not check("accumulate", accumulate).passed
    assert (Tensor(2.0, requires_grad=True) * 3.0).requires_grad
    leave.__enter__()
    try:
        right = check("topological_order", topological_order)
        assert not Tensor(2.0, requires_grad=True).sin().requires_grad  # as it was found
    finally:
        leave.__exit__()
    assert right.passed, str(right)
