"""A run that is killed at any moment leaves a gradebook and folders that the next run completes."""

import json
import random
import signal
import subprocess
import sys
import time

import pytest
from isolation import ALLOW, LEVEL
from made_course import ASSIGNMENT, run

from autograder.grading.notebook_grade import METADATA

from .conftest import NOTEBOOK

STUDENTS = 12
KILLS = 4


@pytest.mark.long
def test_killed_at_random_moments_and_completed(new_course):
    right = new_course.right()
    scores = {}
    for number in range(STUDENTS):
        names = random.Random(number).sample(sorted(right), number % 6)
        new_course.submit(f"s{number:02}", {name: right[name] for name in names})
        points = {"kill_head": 4, "abs_product": 4, "affine": 3, "scale_rows": 4, "linear": 5}
        scores[f"s{number:02}"] = sum(points[name] for name in names)
    command = [sys.executable, "-m", "autograder", "grade", ASSIGNMENT, "--json", "--jobs", "2", *ALLOW]
    finished: dict[str, str] = {}
    for _ in range(KILLS):
        process = subprocess.Popen(
            command, cwd=new_course.path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        # from the first new row on, the kill may fall anywhere into the work on the next ones
        for line in process.stdout:
            if not json.loads(line)["again"]:
                break
        time.sleep(random.uniform(0, 0.6))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        for student in scores:  # what is in autograded/ is whole, and stays
            path = new_course.path / "autograded" / student / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
            if path.exists():
                key = new_course.autograded(student).metadata[METADATA]["key"]
                assert finished.setdefault(student, key) == key
    rows = [json.loads(line) for line in run(new_course.path, *command[2:]).stdout.splitlines()]
    assert {row["student"]: row["score"] for row in rows} == scores
    assert {row["student"] for row in rows if row["again"]} >= finished.keys()
    rows = [json.loads(line) for line in run(new_course.path, *command[2:]).stdout.splitlines()]
    assert {row["student"]: row["score"] for row in rows} == scores
    assert all(row["again"] for row in rows)


def test_a_worker_that_is_killed_costs_nobody_a_grade(new_course):
    from autograder.exercises import find  # noqa: F401 - the exercises are read before the clock starts
    from autograder.grading import workers
    from autograder.grading.jobs import Job
    from autograder.grading.submission import Submission

    assignment = _assignment(new_course)
    content = new_course.submit("ana", new_course.right("affine")).read_bytes()
    jobs = [Job(f"s{n}", {NOTEBOOK: Submission(content)}) for n in range(6)]

    with workers.Pool(LEVEL, 1) as pool:
        outcomes = pool.grade({NOTEBOOK: assignment}, jobs)
        done = [next(outcomes)]
        pool._workers[0]._process.kill()
        done += outcomes
    assert sorted(outcome.student for outcome in done) == [f"s{n}" for n in range(6)]
    assert {outcome.fault for outcome in done} == {""}
    assert {outcome.graded[NOTEBOOK].score for outcome in done} == {3.0}


def _assignment(course):
    import os

    from autograder.grading.course import Course

    before = os.getcwd()
    os.chdir(course.path)
    try:
        book, notebooks = Course.here().open(ASSIGNMENT)
        book.close()
        return notebooks[NOTEBOOK]
    finally:
        os.chdir(before)
