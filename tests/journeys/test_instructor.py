"""An instructor hands out assignment 4, collects three submissions, grades them and looks at the class."""

import csv

import nbformat
import pytest
import submissions
from browser import needs_browser
from formgrader import Formgrader
from lab import Lab
from lab_server import ROOT, hide_the_student_view, serve
from made_course import ASSIGNMENT, EXERCISES, NOTEBOOK, MadeCourse, cell, run

pytestmark = [pytest.mark.long, needs_browser]
CLASS = {"ada": ("Agate", "Quartz"), "bea": ("Beryl", "Zircon"), "cid": ("Citrine", "Olivine")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The course as it is shipped to an instructor, and the list of the class."""
    folder = MadeCourse(tmp_path_factory.mktemp("instructor")).folder
    rows = ("id,first_name,last_name", *(f"{name},{first},{last}" for name, (first, last) in CLASS.items()))
    (folder / "class.csv").write_text("\n".join(rows) + "\n")
    return folder


class Instructor:
    """An instructor with JupyterLab, a terminal and what three students have sent."""

    def __init__(self, lab, folder):
        self.lab = lab
        self.folder = folder
        self.log = folder / ".jupyter" / "log"

    def opens_the_formgrader(self):
        self.formgrader = Formgrader(self.lab)
        self.lab.see("instructor-1-formgrader")

    def generates_the_assignment(self):
        return self.formgrader.press(
            self.formgrader.row(ASSIGNMENT), "assign", "instructor-2-assignment-generated"
        )

    def receives(self, student, changes):
        """Put a student's work where a learning platform's archive is unpacked."""
        notebook = nbformat.read(self.folder / "exercises" / ASSIGNMENT / NOTEBOOK, as_version=4)
        for grade_id, source in changes.items():
            cell(notebook, grade_id).source = source
        archive = self.folder / "downloaded" / ASSIGNMENT / "archive"
        archive.mkdir(parents=True, exist_ok=True)
        sent = f"{student}_1234_5678_{NOTEBOOK}"
        nbformat.write(notebook, archive / sent)

    def collects(self):
        run(self.folder, "nbgrader", "db", "student", "import", "class.csv")
        run(self.folder, "nbgrader", "zip_collect", ASSIGNMENT)

    def opens_the_submissions(self):
        self.formgrader = Formgrader(self.lab)
        self.formgrader.go_to(self.formgrader.row(ASSIGNMENT).locator(".num-submissions a"))
        self.lab.see("instructor-3-submissions")

    def autogrades(self, student):
        """Press Autograde; return what the dialog says, and the score and the status of the row."""
        row = self.formgrader.row(student)
        said = self.formgrader.press(row, "autograde", f"instructor-4-{student}-autograded")
        row.locator(".score", has_text="/").wait_for()
        return said, row.locator(".score").inner_text(), row.locator(".status").inner_text()

    def generates_feedback(self, student):
        row = self.formgrader.row(student)
        return self.formgrader.press(row, "generate-feedback", f"instructor-5-{student}-feedback-generated")

    def opens_the_feedback(self, student):
        page = (self.folder / "feedback" / student / ASSIGNMENT / NOTEBOOK).with_suffix(".html")
        self.looks_at(page, f"instructor-6-{student}-feedback")
        self.lab.page.locator(".wyob-result").first.scroll_into_view_if_needed()
        self.lab.see(f"instructor-6-{student}-feedback-explained")
        return self.lab.page

    def exports_the_grades(self):
        run(self.folder, "nbgrader", "export", "--to=grades.csv")
        with (self.folder / "grades.csv").open() as file:
            return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}

    def opens_the_class_report(self):
        run(self.folder, "autograder", "report", ASSIGNMENT)
        return self.looks_at(self.folder / "reports" / ASSIGNMENT / "index.html", "instructor-7-report")

    def looks_at(self, page, picture):
        self.lab.page.goto(page.as_uri())
        self.lab.see(picture)
        return self.lab.page


def style(part, name):
    return part.evaluate("(element, name) => getComputedStyle(element)[name]", name)


@pytest.fixture(scope="module")
def instructor(page, folder, pictures):
    hide_the_student_view(folder)
    with serve(folder) as server:
        yield Instructor(Lab(page, server, pictures), folder)


def test_an_instructor_grades_a_class(instructor):
    instructor.opens_the_formgrader()
    assert "Successfully created the student version" in instructor.generates_the_assignment()

    solved = nbformat.read(ROOT / "solutions" / ASSIGNMENT / NOTEBOOK, as_version=4)
    right = {exercise: cell(solved, exercise).source for exercise in EXERCISES}
    instructor.receives("ada", right)
    instructor.receives(
        "bea", right | {"kill_head": submissions.named("kill_head/bad_lets_everything_through").source}
    )
    instructor.receives("cid", {"affine": right["affine"]})
    instructor.collects()

    instructor.opens_the_submissions()
    graded = {student: instructor.autogrades(student) for student in CLASS}
    for said, _, status in graded.values():
        assert "Successfully autograded" in said
        assert "Traceback" not in said
        assert status == "graded"
    assert {student: score for student, (_, score, _) in graded.items()} == {
        "ada": "20 / 20",
        "bea": "17.5 / 20",
        "cid": "3 / 20",
    }

    for student in CLASS:
        assert "Successfully generated feedback" in instructor.generates_feedback(student)
    feedback = instructor.opens_the_feedback("bea").get_by_role("group", name="kill_head: not yet right")
    assert feedback.get_by_text("missing-mask").is_visible()
    assert feedback.locator("figure [role=img]").is_visible()
    assert (
        style(feedback.locator(".mark").first, "backgroundColor") == "rgba(0, 0, 0, 0)"
    )  # nbgrader's is yellow
    assert style(feedback.locator("summary").first, "display") == "list-item"

    assert instructor.exports_the_grades() == {"ada": 20.0, "bea": 17.5, "cid": 3.0}
    report = instructor.opens_the_class_report()
    assert report.get_by_text("missing-mask").first.is_visible()
