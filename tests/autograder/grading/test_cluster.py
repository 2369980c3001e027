"""The same class on a Dask cluster: a real scheduler and two workers, one of which is killed in mid-run."""

import json
import shutil
import subprocess
import sys
from contextlib import ExitStack, contextmanager

import pytest
import submissions
from isolation import ALLOW
from made_course import ASSIGNMENT, MadeCourse, run
from waiting import until

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

WRONG = ("bad_lets_everything_through", "bad_one_gradient", "bad_list")
STUDENTS = [f"s{number:02}" for number in range(14)]


@contextmanager
def process(module, *arguments):
    command = [sys.executable, "-m", f"distributed.cli.{module}", *map(str, arguments)]
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield started
    finally:
        started.kill()
        started.wait()


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    made = MadeCourse(tmp_path_factory.mktemp("course"))
    for number, student in enumerate(STUDENTS):
        wrong = submissions.named("kill_head/" + WRONG[number % len(WRONG)]).source
        made.submit(student, made.right | {"kill_head": wrong} if number % 2 else made.right)
    return made


@pytest.fixture
def cluster(tmp_path):
    """The address of a scheduler, its process, and its two workers."""
    file = tmp_path / "scheduler.json"
    quiet = ("--no-dashboard", "--scheduler-file", file)
    with ExitStack() as stack:
        local = ("--host", "127.0.0.1", "--port", 0)
        scheduler = stack.enter_context(process("dask_scheduler", *local, *quiet))
        assert until(file.exists)
        address = json.loads(file.read_text())["address"]
        one = ("--nworkers", 1, "--nthreads", 1, "--no-nanny", "--no-dashboard", "--memory-limit", 0)
        place = ("--local-directory", tmp_path)
        workers = [stack.enter_context(process("dask_worker", address, *one, *place)) for _ in range(2)]
        yield address, scheduler, workers


def grade(course, address, at, victim):
    """Grade on the cluster, kill a process of it after some rows, and return the status and all rows."""
    grade = ["grade", ASSIGNMENT, *ALLOW, "--json", "--cluster", address]
    command = [sys.executable, "-m", "autograder", *grade]
    rows = []
    with subprocess.Popen(
        command, cwd=course.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as grading:
        for line in grading.stdout:
            rows.append(json.loads(line))
            if len(rows) == at:
                victim.kill()
        said = grading.stderr.read()
    assert "Traceback" not in said
    return grading.returncode, rows


@pytest.mark.long
def test_all_are_graded_once_though_a_worker_is_killed(course, cluster):
    address, _, workers = cluster
    status, rows = grade(course, address, 2, workers[0])
    assert status == 0
    assert sorted(row["student"] for row in rows) == STUDENTS
    assert all(not row["fault"] and not row["again"] for row in rows)
    assert workers[0].wait() != 0
    on_cluster = {row["student"]: row["score"] for row in rows}

    again = run(course.folder, "autograder", "grade", ASSIGNMENT, "--json")
    kept = [json.loads(line) for line in again.stdout.splitlines()]
    assert all(row["again"] for row in kept)  # the local pool finds nothing left to do
    assert {row["student"]: row["score"] for row in kept} == on_cluster
    assert {score for student, score in on_cluster.items() if int(student[1:]) % 2 == 0} == {20.0}
    assert all(score < 20.0 for student, score in on_cluster.items() if int(student[1:]) % 2)


@pytest.mark.long
def test_a_scheduler_that_is_lost_leaves_a_reason_and_the_next_run_goes_on(course, cluster):
    shutil.rmtree(course.folder / "autograded", ignore_errors=True)  # nothing is done any more
    address, scheduler, _ = cluster
    status, rows = grade(course, address, 2, scheduler)
    assert status == 1
    assert sorted(row["student"] for row in rows) == STUDENTS
    left = [row["student"] for row in rows if row["fault"]]
    assert left
    rest = run(course.folder, "autograder", "grade", ASSIGNMENT, "--json")
    kept = {row["student"]: row for row in map(json.loads, rest.stdout.splitlines())}
    assert {student for student, row in kept.items() if not row["again"]} == set(left)
    assert all(row["score"] is not None for row in kept.values())


@pytest.mark.long
def test_an_address_without_a_scheduler_is_told_in_one_sentence(course):
    done = run(course.folder, "autograder", "grade", ASSIGNMENT, "--cluster", "tcp://127.0.0.1:1", expect=2)
    assert "autograder: There is no Dask scheduler at tcp://127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.long
def test_dask_is_not_imported_unless_asked_for(course):
    code = (
        "import sys; from autograder.cli import main; main(['grade', 'none', '--allow-weak-isolation']);"
        "print({'dask', 'distributed'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=course.folder, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
