"""A class graded into PostgreSQL: a real server, started here where Debian's package is installed."""

import getpass
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import submissions
from made_course import ASSIGNMENT, MadeCourse, run
from sqlalchemy import create_engine, text

psycopg = pytest.importorskip("psycopg", reason="the extra 'postgresql' is not installed")


def _programs() -> Path | None:
    """Return the folder of PostgreSQL's own programs: Debian keeps them out of PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")) or [shutil.which("pg_ctl")]
    return Path(found[-1]).parent if found[-1] else None


PROGRAMS = _programs()
pytestmark = pytest.mark.skipif(
    PROGRAMS is None,
    reason="there is no PostgreSQL server; install one (Debian: `sudo apt install postgresql`)",
)


def _postgres(folder: Path, name: str, *arguments: str) -> None:
    """Run one of its programs; it refuses to be run by root, so root becomes the user postgres."""
    command = [str(PROGRAMS / name), *arguments]
    kind = {"user": "postgres", "group": "postgres"} if os.getuid() == 0 else {}
    with (folder / "log").open("a") as log:
        subprocess.run(command, check=True, stdout=log, stderr=log, cwd=folder, **kind)


@pytest.fixture(scope="module")
def db_url() -> Iterator[str]:
    """A server that only this test can reach: a socket in its own folder, no port."""
    with tempfile.TemporaryDirectory(prefix="gradebook") as name:  # pytest's are closed to other users
        folder, user = Path(name), getpass.getuser()
        if os.getuid() == 0:
            user = "postgres"
            shutil.chown(folder, user, user)
        _postgres(folder, "initdb", "-D", "data", "-U", user, "--auth=trust", "--no-sync", "-E", "UTF8")
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
        _postgres(folder, "pg_ctl", "-D", "data", "-w", "-o", options, "start")
        try:
            _postgres(folder, "createdb", "-h", name, "-U", user, "gradebook")
            yield f"postgresql+psycopg://{user}@/gradebook?host={folder}"
        finally:
            _postgres(folder, "pg_ctl", "-D", "data", "-m", "immediate", "stop")


@pytest.fixture(scope="module")
def course(tmp_path_factory, db_url):
    extra = f'\nc.CourseDirectory.db_url = "{db_url}"\n'
    made = MadeCourse(tmp_path_factory.mktemp("course"), extra)
    made.submit("right", made.right)
    made.submit(
        "wrong",
        made.right | {"kill_head": submissions.named("kill_head/bad_lets_everything_through").source},
    )
    made.grade()
    return made


def scores(db_url):
    """Return what the server itself says, past nbgrader."""
    query = """
        select submitted_assignment.student_id, sum(grade.auto_score)
        from grade join submitted_notebook on grade.notebook_id = submitted_notebook.id
        join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id
        group by submitted_assignment.student_id
    """
    engine = create_engine(db_url)
    with engine.connect() as connection:
        found = {student: float(score) for student, score in connection.execute(text(query))}
    engine.dispose()
    return found


@pytest.mark.long
def test_the_server_has_the_scores(course, db_url):
    found = scores(db_url)
    assert found["right"] == 20.0
    assert 16.0 <= found["wrong"] < 20.0
    assert not (course.folder / "gradebook.db").exists()


@pytest.mark.long
def test_what_is_finished_is_not_graded_again(course, db_url):
    before = scores(db_url)
    done = course.grade()
    assert "2 of them before" in done.stdout
    assert scores(db_url) == before


@pytest.mark.long
def test_nbgraders_own_commands_agree(course, db_url):
    before = scores(db_url)
    run(course.folder, "nbgrader", "autograde", ASSIGNMENT, "--force", "--student=wrong")
    assert scores(db_url) == before
    run(course.folder, "nbgrader", "generate_feedback", ASSIGNMENT)
    run(course.folder, "nbgrader", "export", "--to=scores.csv")
    assert "right" in (course.folder / "scores.csv").read_text()


@pytest.mark.long
def test_a_server_that_is_not_there_is_told_in_one_sentence(course):
    config = course.folder / "nbgrader_config.py"
    kept = config.read_text()
    config.write_text(
        f'{kept}\nc.CourseDirectory.db_url = "postgresql+psycopg://me:secret@127.0.0.1:1/none"\n'
    )
    try:
        for command in ("report", "grade"):
            done = run(course.folder, "autograder", command, ASSIGNMENT, expect=2)
            assert "The gradebook 127.0.0.1:1/none cannot be opened" in done.stderr
            assert "Traceback" not in done.stderr
            assert "secret" not in done.stderr
    finally:
        config.write_text(kept)


@pytest.mark.long
def test_the_report_reads_it(course):
    run(course.folder, "autograder", "report", ASSIGNMENT)
    results = (course.folder / "reports" / ASSIGNMENT / "results.csv").read_text()
    assert f"{ASSIGNMENT},right,linear,5,5,right," in results
    assert "missing-mask" in results
