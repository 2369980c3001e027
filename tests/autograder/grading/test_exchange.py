"""nbgrader's own exchange, from the release of an assignment to the feedback that a student fetches."""

import shutil
from pathlib import Path

import pytest
from made_course import ASSIGNMENT, run

from .conftest import NOTEBOOK, ACourse

COURSE = "write-your-own-backward"
SECRET = "submission_secret.txt"


class Exchange:
    """An exchange between a course and the folders of its students."""

    def __init__(self, course: ACourse, folder: Path) -> None:
        self.course, self.folder = course, folder
        folder.mkdir()
        folder.chmod(0o777)
        with (course.path / "nbgrader_config.py").open("a") as config:
            config.write(f"\nc.Exchange.root = {str(folder)!r}\n")

    def instructor(self, *arguments: str, expect: int = 0) -> str:
        done = run(self.course.path, *arguments, expect=expect)
        return done.stdout + done.stderr

    def grades(self, *more: str) -> None:
        """Take the grades and pages of what was handed in to the exchange."""
        self.instructor("nbgrader", "collect", ASSIGNMENT, "--update")
        self.instructor("autograder", "grade", ASSIGNMENT, "--jobs", "1")
        self.instructor("autograder", "feedback", ASSIGNMENT)
        self.instructor("nbgrader", "release_feedback", ASSIGNMENT, *more)

    def student(self, name: str, command: str) -> str:
        """Run a command of nbgrader's as a student."""
        home = self.folder.parent / name
        home.mkdir(exist_ok=True)
        options = {
            "CourseDirectory.course_id": COURSE,
            "CourseDirectory.student_id": name,
            "Exchange.root": self.folder,
            "Exchange.cache": home / "cache",
        }
        done = run(
            home, "nbgrader", command, ASSIGNMENT, *(f"--{name}={value}" for name, value in options.items())
        )
        return done.stdout + done.stderr

    def submits(self, name: str, *right: str) -> None:
        """Fetch the assignment, solve some of it and submit it."""
        if not (self.folder.parent / name / ASSIGNMENT).exists():
            self.student(name, "fetch_assignment")
        done = self.course.submit(name, self.course.right(*right))
        shutil.move(done, self.folder.parent / name / ASSIGNMENT / done.name)
        shutil.rmtree(self.course.path / "submitted" / name)
        self.student(name, "submit")

    def fetched(self, name: str) -> list[str]:
        """Return the points on the pages that a student fetches, oldest first."""
        self.student(name, "fetch_feedback")
        pages = sorted((self.folder.parent / name / ASSIGNMENT / "feedback").glob(f"*/{NOTEBOOK}.html"))
        return [page.read_text().partition(" of 20 points<")[0].rpartition(">")[2] for page in pages]


@pytest.fixture
def exchange(new_course, tmp_path) -> Exchange:
    exchange = Exchange(new_course, tmp_path / "exchange")
    exchange.instructor("nbgrader", "release_assignment", ASSIGNMENT)
    return exchange


def test_a_student_fetches_the_feedback_of_each_submission(exchange):
    exchange.submits("ada")
    exchange.submits("bea", "affine")
    exchange.grades()
    assert exchange.fetched("ada") == ["20"]
    assert exchange.fetched("bea") == ["3"]

    exchange.submits("ada")  # the same work: it keeps its grade, and has another secret
    exchange.submits("bea", "affine", "linear")
    exchange.grades()
    assert exchange.fetched("ada") == ["20", "20"]
    assert exchange.fetched("bea") == ["3", "8"]


@pytest.mark.long
def test_nbgraders_own_commands_release_the_same(exchange):
    exchange.submits("ada")
    exchange.instructor("nbgrader", "collect", ASSIGNMENT)
    for command in ("autograde", "generate_feedback", "release_feedback"):
        exchange.instructor("nbgrader", command, ASSIGNMENT)
    assert exchange.fetched("ada") == ["20"]


@pytest.mark.long
def test_work_from_elsewhere_is_left_out_by_name(exchange):
    exchange.submits("ada")
    exchange.course.submit("cyd", exchange.course.right("affine"))
    exchange.grades("--CourseDirectory.student_id_exclude=cyd")
    assert exchange.fetched("ada") == ["20"]
