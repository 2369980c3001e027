"""The corpus through the commands that an instructor gives: `autograder grade` and `nbgrader autograde`."""

import sqlite3
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from corpus import ASSIGNMENT, FULL, corpus, submit_honest
from isolation import needs_sandbox
from made_course import MadeCourse, run
from outside import MARK, Listener

CHOSEN = (
    "address_of_an_object",
    "apply_overridden",
    "cell_before_the_test",
    "duplicate_test_cell",
    "exit_in_backward",
    "fork_in_backward",
    "forger",
    "forger_of_all",
    "frame_of_an_error",
    "frames_of_odd_arrays",
    "grade_replaced",
    "history_grafted_when_done",
    "hook_of_a_module",
    "keyword_of_the_name",
    "magic_line",
    "method_of_the_base",
    "name_beside_that_is_no_text",
    "name_bound_again",
    "name_of_an_own_function",
    "outputs_forged",
    "patterns",
    "script_in_errors",
    "table_in_advance",
)
SHOWN = (
    "archive_of_another",
    "magic_javascript",
    "name_with_a_script",
    "script_displayed",
    "script_in_an_autograd_line",
    "script_in_errors",
    "script_in_markdown",
    "script_in_the_type_of_a_gradient",
    "script_printed",
    "scripts_in_answers",
    "sum_of_seven_hundred",
    "widget_state",
)
ROWS = """
    select submitted_assignment.student_id, base_cell.name, auto_score, needs_manual_grade from grade
        join base_cell on base_cell.id = grade.cell_id
        join submitted_notebook on submitted_notebook.id = grade.notebook_id
        join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
"""


@pytest.mark.long
@needs_sandbox
@pytest.mark.parametrize(
    "command", [("nbgrader", "autograde", ASSIGNMENT), ("autograder", "grade", ASSIGNMENT)], ids=" ".join
)
def test_a_class_with_attackers_in_it(command, tmp_path):
    course = MadeCourse(tmp_path).folder
    attacks = {attack.name: attack for attack in corpus() if attack.name in CHOSEN}
    assert attacks.keys() == set(CHOSEN)
    with Listener() as listener:
        for name, attack in attacks.items():
            attack.submit(course, name, listener.port)
        submit_honest(course, "a-honest")
        submit_honest(course, "z-honest")
        run(course, *command)
        assert not listener.visits
    with sqlite3.connect(course / "gradebook.db") as book:
        rows = book.execute(ROWS).fetchall()
    for honest in ("a-honest", "z-honest"):
        assert sum(score for student, _, score, _ in rows if student == honest) == FULL
        assert not any(asked for student, *_, asked in rows if student == honest)
    assert {student for student, *_ in rows} >= attacks.keys()
    gains = {
        student
        for student, name, score, asked in rows
        if student in attacks and score > _deserves(attacks[student], name) and not asked
    }
    assert gains == set()


def _deserves(attack, graded_cell):
    return attack.deserves if graded_cell == f"{attack.exercise}_test" else 0.0


@pytest.mark.long
def test_pages_about_them_run_nothing(tmp_path):
    course = MadeCourse(tmp_path).folder
    attacks = {attack.name: attack for attack in corpus() if attack.name in SHOWN}
    assert attacks.keys() == set(SHOWN)
    for name, attack in attacks.items():
        attack.submit(course, name, 9)
    submit_honest(course, "honest")
    run(course, "autograder", "grade", ASSIGNMENT)
    run(course, "nbgrader", "generate_feedback", ASSIGNMENT)
    run(course, "autograder", "report", ASSIGNMENT)
    pages = {str(path.relative_to(course)): Page(path.read_text()) for path in course.rglob("*.html")}
    assert len(pages) == len(SHOWN) + 2
    assert {name: page.runs for name, page in pages.items() if page.runs} == {}


class Page(HTMLParser):
    """What of the attackers' code a page would run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.runs: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            told = f"{name}={value}"
            if (name.startswith("on") and MARK in told) or "=javascript:alert" in told:
                self.runs.append(told)

    def handle_data(self, data):
        if self.cdata_elem == "script" and MARK in data:
            self.runs.append(data[:200])
