"""What one submission can cost the grader: whatever it does becomes its own grade, and nobody else's."""

import json
import os
import sys
import threading
import time
from contextlib import contextmanager

import pytest
from isolation import LEVEL
from made_course import ASSIGNMENT
from tiers import first_now

from autograder.exercises import find
from autograder.grading.course import Course
from autograder.grading.grade import grade_all
from autograder.grading.jobs import Job, Outcome
from autograder.grading.run import ClassRun
from autograder.grading.sandbox.budget import MIB, Limits
from autograder.grading.sandbox.sandbox import Sandbox
from autograder.grading.submission import Submission
from autograder.grading.workers import Pool

from .conftest import NOTEBOOK

SLEEPS = "import time\ntime.sleep({})"


@pytest.fixture(scope="module")
def level():
    return LEVEL


@contextmanager
def inside(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield Course.here()
    finally:
        os.chdir(before)


@pytest.fixture(scope="module")
def assignment(course):
    with inside(course.path) as here:
        book, notebooks = here.open(ASSIGNMENT)
        book.close()
    return notebooks[NOTEBOOK]


def job(course, student, changes):
    return Job(student, {NOTEBOOK: Submission(course.submit(student, changes).read_bytes())})


def graded_in(outcomes):
    assert {outcome.fault for outcome in outcomes} == {""}
    return {outcome.student: outcome.graded[NOTEBOOK] for outcome in outcomes}


def test_a_worker_is_stopped_at_the_end_of_a_submission_s_time(course, assignment, level):
    slow = course.right("affine") | {"linear": SLEEPS.format(60)}
    jobs = [job(course, "slow", slow), job(course, "next", course.right("affine"))]
    with Pool(level, 1, Limits(worker_seconds=20)) as pool:
        found = graded_in(list(pool.grade({NOTEBOOK: assignment}, jobs)))
    assert found["next"].score == 3.0
    assert not found["next"].needs_person
    assert found["slow"].score == 0.0
    assert found["slow"].needs_person
    assert "longer than 20 seconds" in found["slow"].reason


def deaths_of(bad, good, course, assignment, level):
    """Grade them all, and kill each worker as soon as it grades one whose name begins with bad."""
    slow = course.right("affine") | {"linear": SLEEPS.format(5)}
    jobs = [job(course, name, slow) for name in bad]
    jobs += [job(course, name, course.right("affine")) for name in good]
    killed, order = [], []
    over = threading.Event()

    def kill(pool):
        while not over.wait(0.05):
            for worker in [*pool._workers]:
                if worker.has and worker.has[0].student in bad and worker._process.poll() is None:
                    killed.append(worker.has[0].student)
                    worker._process.kill()
                    worker._process.wait()

    with Pool(level, 1) as pool:
        killer = threading.Thread(target=kill, args=(pool,))
        killer.start()
        try:
            outcomes = []
            for outcome in pool.grade({NOTEBOOK: assignment}, jobs):
                order.append(outcome.student)
                outcomes.append(outcome)
        finally:
            over.set()
            killer.join()
    return graded_in(outcomes), order, sorted(killed)


@pytest.mark.parametrize("bad", first_now([["bad"], ["bad1", "bad2"]]))
def test_who_ends_workers_is_tried_twice_and_harms_nobody(bad, course, assignment, level):
    good = ["ana", "ben", "cem"]
    found, order, killed = deaths_of(bad, good, course, assignment, level)
    assert killed == sorted(bad * 2)
    assert sorted(order[:3]) == good  # who ended a worker comes last
    assert {found[name].score for name in good} == {3.0}
    for name in bad:
        assert found[name].score == 0.0
        assert found[name].needs_person
        assert "grading process ended unexpectedly" in found[name].reason


def test_workers_that_never_get_ready_end_the_run_with_a_sentence(course, assignment, level, monkeypatch):
    from autograder.grading import workers

    started = []
    start = workers._Worker.__init__

    def ending(worker, *given):
        start(worker, *given)
        started.append(worker)
        worker._process.kill()

    monkeypatch.setattr(workers._Worker, "__init__", ending)
    content = course.submit("ana", {}).read_bytes()
    jobs = [Job(f"s{n:02}", {NOTEBOOK: Submission(content)}) for n in range(30)]
    with Pool(level, 2) as pool:
        outcomes = list(pool.grade({NOTEBOOK: assignment}, jobs))
    assert [outcome.student for outcome in outcomes] == [job.student for job in jobs]
    assert all("before they were ready" in outcome.fault for outcome in outcomes)
    assert len(started) <= 2 + workers.STARTS_AT_MOST


def open_sandbox(assignment, level, limits=None):
    return Sandbox([find(task.exercise) for task in assignment.tasks], level, limits)


@pytest.fixture(scope="module")
def sandbox(assignment, level):
    with open_sandbox(assignment, level) as sandbox:
        yield sandbox


def graded_in_it(sandbox, assignment, content):
    return grade_all({NOTEBOOK: assignment}, {NOTEBOOK: Submission(content)}, sandbox)[NOTEBOOK]


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux")
def test_a_notebook_that_fills_the_grader_s_memory_has_0_points_and_the_reason(assignment, level):
    content = b'{"cells": [' + b"{}," * 3_000_000 + b"{}]}"
    with open_sandbox(assignment, level, Limits(grader_memory=100 * MIB)) as sandbox:
        found = graded_in_it(sandbox, assignment, content)
    assert found.score == 0.0
    assert found.needs_person
    assert "more than 100 MB of memory" in found.reason
    assert len(found.text) < 200_000


@pytest.mark.parametrize(
    "long",
    first_now(["x = [" + "0," * 2_000_000 + "]", "x = 1 + 1\n" * 700_000, "(" * 4_000_000]),
    ids=["a list display", "ordinary code", "brackets"],
)
def test_a_cell_that_is_too_long_is_told_so_and_the_others_count(course, assignment, sandbox, long):
    content = course.submit("long", course.right("affine") | {"linear": long}).read_bytes()
    started = time.process_time()
    found = graded_in_it(sandbox, assignment, content)
    assert time.process_time() - started < 30
    cells = {cell.grade_id: cell for cell in found.cells}
    assert found.score == cells["affine_test"].score == 3.0
    assert "limit is 100,000" in cells["linear_test"].result["findings"][0]["message"]
    assert "limit is 100,000" in cells["linear_test"].comment
    assert len(found.text) < 200_000


HUGE = """
class KillHead(Function):
    @staticmethod
    def forward(ctx, x, n):
        return torch.zeros({size}, {size}, dtype=x.dtype)

    @staticmethod
    def backward(ctx, grad_output):
        return None, None
"""


@pytest.mark.parametrize("size", first_now([3000, 1000]))
def test_work_that_gives_more_than_any_right_answer_is_told_so_and_the_others_count(
    course, assignment, sandbox, size
):
    huge = HUGE.format(size=size)
    content = course.submit("huge", course.right("affine") | {"kill_head": huge}).read_bytes()
    cells = {c.grade_id: c for c in graded_in_it(sandbox, assignment, content).cells}
    assert cells["affine_test"].score == 3.0
    assert cells["kill_head_test"].score == 0.0
    (finding,) = cells["kill_head_test"].result["findings"]
    assert "more numbers than any right answer contains" in finding["message"]


def test_what_a_submission_prints_does_not_fill_the_pages(course, assignment, sandbox):
    import nbformat

    notebook = course.notebook(course.right("affine"))
    chatty = nbformat.v4.new_code_cell("print('x' * 10_000)")
    notebook.cells += [nbformat.v4.new_code_cell(chatty.source) for _ in range(150)]
    content = nbformat.writes(notebook).encode()
    found = graded_in_it(sandbox, assignment, content)
    assert found.score == 3.0
    assert len(found.text) < 300_000


class Said:
    """A pool that has graded already."""

    def __init__(self, level, outcomes):
        self.level, self._outcomes = level, outcomes

    def grade(self, assignments, jobs):
        assert {job.student for job in jobs} >= {outcome.student for outcome in self._outcomes}
        yield from self._outcomes


def test_a_grade_that_cannot_be_written_becomes_0_points_with_the_reason(new_course, level):
    from dataclasses import replace

    from autograder.grading.zero_grade import give_zero

    with inside(new_course.path) as here:
        for student in ("ana", "ben"):
            new_course.submit(student, new_course.right("affine"))
        book, notebooks = here.open(ASSIGNMENT)
        book.close()
        given = Submission(b"")
        one = give_zero(notebooks[NOTEBOOK], given, level, "Nothing.")
        odd = replace(one, text=json.dumps({"half": "\ud800"}, ensure_ascii=False))
        said = [Outcome("ana", {NOTEBOOK: odd}), Outcome("ben", {NOTEBOOK: one})]
        rows = {row.student: row for row in ClassRun(here, ASSIGNMENT, Said(level, said)).rows()}
        again = {
            row.student: row.again
            for row in ClassRun(here, ASSIGNMENT, Said(level, [])).rows()
            if row.student == "ana"
        }
    assert not rows["ana"].fault
    assert rows["ana"].score == 0.0
    assert rows["ana"].needs_person
    assert "could not be written" in rows["ana"].reason
    assert rows["ben"].reason == "Nothing."
    assert again == {"ana": True}
