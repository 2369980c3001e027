"""A student reads lesson 4, gets an exercise of its assignment wrong, is told why, mends it and validates."""

import nbformat
import pytest
from browser import needs_browser
from lab import Lab
from lab_server import serve
from made_course import ASSIGNMENT, EXERCISES, NOTEBOOK, cell
from shipped import ROOT, ship

pytestmark = [pytest.mark.long, needs_browser]
LESSON = f"course/{ASSIGNMENT}.ipynb"
SOLVED = set(EXERCISES) - {"kill_head"}

WRONG = """class KillHead(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, n: int) -> Tensor:
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor, None]:
        return grad_output, None
"""
MENDED = """class KillHead(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, n: int) -> Tensor:
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor, None]:
        grad_x = grad_output.clone()
        grad_x[:, : ctx.n] = 0
        return grad_x, None
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What a student has; in the assignment four exercises are done and `kill_head` is not."""
    folder = ship(tmp_path_factory.mktemp("student"), "course/*.ipynb", "exercises")
    path = folder / "exercises" / ASSIGNMENT / NOTEBOOK
    handed_out = nbformat.read(path, as_version=4)
    solved = nbformat.read(ROOT / "solutions" / ASSIGNMENT / NOTEBOOK, as_version=4)
    for exercise in SOLVED:
        cell(handed_out, exercise).source = cell(solved, exercise).source
    nbformat.write(handed_out, path)
    return folder


class Student:
    """A student in JupyterLab."""

    def __init__(self, lab, folder):
        self.lab = lab
        self.folder = folder

    def opens_lesson_4(self):
        self.lab.open(LESSON)
        self.lab.see("student-1-lesson")

    def runs_it(self):
        lesson = nbformat.read(self.folder / LESSON, as_version=4)
        code = [cell for cell in lesson.cells if cell.cell_type == "code"]
        # JupyterLab gives a folded cell no prompt
        self.lab.run_all(sum(not cell.metadata.get("jupyter", {}).get("source_hidden") for cell in code))
        self.lab.see("student-2-lesson-run")

    def opens_the_assignment(self):
        link = self.lab.notebook.get_by_role("link", name="exercises").last
        self.lab.follow(link, "Exercises 4. Your first Functions")
        self.lab.run(self.lab.cell("from autograder import check"))
        self.lab.see("student-3-assignment")

    def writes(self, source):
        work = self.lab.cell("class KillHead")
        self.lab.write(work, source)
        self.lab.run(work)

    def checks(self, picture):
        """Run the cell with `check` and return what it shows."""
        shown = self.lab.run(self.lab.cell('check("kill_head"'))
        result = shown.get_by_role("group", name="kill_head")
        result.scroll_into_view_if_needed()
        self.lab.see(picture)
        return result

    def validates(self, picture):
        """Press Validate and return what the dialog says."""
        self.lab.press("Validate")
        self.lab.dialog.get_by_text("Validation Results").wait_for()
        self.lab.see(picture)
        said = self.lab.dialog.inner_text()
        self.lab.dialog.get_by_role("button").last.click()
        return said


@pytest.fixture(scope="module")
def student(page, folder, pictures):
    with serve(folder) as server:
        yield Student(Lab(page, server, pictures), folder)


def test_a_student_is_told_what_is_wrong_and_mends_it(student):
    student.opens_lesson_4()
    student.runs_it()
    assert student.lab.complaints() == []

    student.opens_the_assignment()
    student.writes(WRONG)
    explanation = student.checks("student-4-wrong")
    assert explanation.get_by_text("not yet right").is_visible()
    assert explanation.get_by_text("missing-mask").is_visible()
    assert explanation.get_by_text("backward must block the entries that forward blocked").is_visible()
    assert explanation.locator("figure [role=img]").is_visible()
    failed = student.validates("student-5-not-valid")
    assert 'grade("kill_head", KillHead)' in failed
    assert not any(exercise in failed for exercise in SOLVED)
    assert "Traceback" not in failed

    student.writes(MENDED)
    result = student.checks("student-6-right")
    assert result.get_by_text("all right").is_visible()
    assert "Success! Your notebook passes all the tests." in student.validates("student-7-valid")
    assert student.lab.complaints() == []
