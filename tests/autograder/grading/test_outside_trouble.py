"""What goes wrong around a run: a full disk, a reader that leaves, another user than root, a late hand-in."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys

import pytest
from isolation import ALLOW, needs_sandbox
from made_course import ASSIGNMENT, run

from .conftest import NOTEBOOK

GRADE = [sys.executable, "-m", "autograder", "grade", ASSIGNMENT, "--jobs", "1", *ALLOW]
ROOT_ON_LINUX = sys.platform == "linux" and os.getuid() == 0


def _rows(course):
    return {
        row["student"]: row
        for row in map(json.loads, run(course.path, *GRADE[2:], "--json").stdout.splitlines())
    }


@pytest.mark.long
def test_a_reader_that_leaves_stops_nothing(new_course):
    for student in ("ana", "ben", "cem"):
        new_course.submit(student, new_course.right("affine"))
    with subprocess.Popen(
        [*GRADE, "--json"], cwd=new_course.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read().decode()
    assert "Traceback" not in said
    assert "BrokenPipe" not in said
    assert process.returncode == 0
    assert {student: row["again"] for student, row in _rows(new_course).items()} == dict.fromkeys(
        ("ana", "ben", "cem"), True
    )


@pytest.fixture
def small_disk(new_course):
    """A file system of 512 KB in the place of autograded/."""
    place = new_course.path / "autograded"
    place.mkdir()
    mounted = (
        ROOT_ON_LINUX
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(place)], capture_output=True
        ).returncode
    )
    if not mounted:
        pytest.skip("only root can mount a small file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.long
def test_a_full_disk_costs_nobody_a_grade_for_good(new_course, small_disk):
    (small_disk / "other things").write_bytes(bytes(440 << 10))
    students = [f"s{number}" for number in range(4)]
    for student in students:
        new_course.submit(student, new_course.right("affine"))
    done = subprocess.run([*GRADE, "--json"], cwd=new_course.path, capture_output=True, text=True)
    rows = {row["student"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert done.returncode == 1
    assert rows.keys() == {*students}
    left = [student for student, row in rows.items() if row["fault"]]
    assert left
    assert all("No space left" in rows[student]["fault"] for student in left)
    assert "Traceback" not in done.stderr
    assert not list(small_disk.rglob("*.part"))
    (small_disk / "other things").unlink()
    rows = _rows(new_course)
    assert {student: row["score"] for student, row in rows.items()} == dict.fromkeys(students, 3.0)
    assert {student for student, row in rows.items() if not row["again"]} >= {*left}


LATE = """
from nbgrader.plugins import LateSubmissionPlugin

class HalfAPoint(LateSubmissionPlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 0.5

c.AssignLatePenalties.plugin_class = HalfAPoint
"""
PENALTIES = """
    select s.student_id, sum(n.late_submission_penalty) from submitted_notebook n
    join submitted_assignment s on n.assignment_id = s.id group by s.student_id
"""


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(GRADE[2:], id="ours"),
        pytest.param(["nbgrader", "autograde", ASSIGNMENT], id="nbgrader", marks=pytest.mark.long),
    ],
)
def test_who_is_late_has_the_penalty_of_the_course(new_course, command):
    with open(new_course.path / "nbgrader_config.py", "a") as config:
        config.write(LATE)
    run(
        new_course.path,
        "nbgrader",
        "db",
        "assignment",
        "add",
        ASSIGNMENT,
        "--duedate=2026-01-10 12:00:00 UTC",
    )
    for student, day in (("early", "09"), ("late", "11")):
        new_course.submit(student, new_course.right("affine"))
        (new_course.folder(student) / "timestamp.txt").write_text(f"2026-01-{day} 12:00:00 UTC")
    run(new_course.path, *command)
    with sqlite3.connect(new_course.path / "gradebook.db") as book:
        found = {student: penalty or 0 for student, penalty in book.execute(PENALTIES)}
    assert found == {"early": 0, "late": 0.5}


@pytest.mark.long
@needs_sandbox
@pytest.mark.skipif(not ROOT_ON_LINUX or shutil.which("setpriv") is None, reason="needs root, and setpriv")
def test_somebody_else_than_root_has_the_same_isolation(new_course):
    new_course.submit("ana", new_course.right("affine"))
    for folder, _, files in os.walk(new_course.path):
        for name in (".", *files):
            os.chown(os.path.join(folder, name), 1000, 1000)
    for parent in new_course.path.parents:
        if parent.stat().st_mode & 0o005 != 0o005 and parent.is_relative_to("/tmp"):
            parent.chmod(0o755)
    user = ["setpriv", "--reuid", "1000", "--regid", "1000", "--clear-groups"]
    environment = {**os.environ, "HOME": str(new_course.path)}
    code = "import os, sys, autograder; os.stat(os.path.realpath(sys.executable))"
    if subprocess.run([*user, sys.executable, "-c", code], env=environment, cwd="/").returncode:
        pytest.skip("another user cannot read this Python or this checkout")
    done = subprocess.run(
        [*user, *GRADE, "--json"], cwd=new_course.path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert (row["score"], row["isolation"]) == (3.0, "sandbox")
    assert (new_course.path / "autograded" / "ana" / ASSIGNMENT / f"{NOTEBOOK}.ipynb").stat().st_uid == 1000
