"""The zip for Gradescope, unpacked and run as Gradescope does, in a folder laid out like /autograder.

The virtual environment is a new one, made by the zip's own setup.sh; in the place of a package index, pip
finds the packages that the tests run with. As they lie outside of it, no sandbox sees them, and the level
here is a weaker one. apt-get is a stand-in that writes down what it was asked for.
"""

import json
import os
import shutil
import site
import subprocess
import zipfile
from pathlib import Path

import pytest
import submissions
from made_course import ASSIGNMENT, NOTEBOOK, MadeCourse, run

POINTS = {"kill_head": 4.0, "abs_product": 4.0, "affine": 3.0, "scale_rows": 4.0, "linear": 5.0}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return MadeCourse(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def archive(course):
    run(course.folder, "autograder", "export", "--gradescope", ASSIGNMENT, "--allow-weak-isolation")
    return course.folder / f"{ASSIGNMENT}-gradescope.zip"


@pytest.fixture(scope="module")
def container(archive, tmp_path_factory):
    """A folder as Gradescope makes it: source/ from the zip, run_autograder, setup.sh run once."""
    root = tmp_path_factory.mktemp("autograder")
    with zipfile.ZipFile(archive) as opened:
        for entry in opened.infolist():
            Path(opened.extract(entry, root / "source")).chmod(entry.external_attr >> 16)
    shutil.copy(root / "source" / "run_autograder", root)
    (root / "results").mkdir()
    tools = root / "tools"
    tools.mkdir()
    (tools / "apt-get").write_text(f'#!/bin/sh\necho "$@" >> "{tools}/asked"\n')
    (tools / "apt-get").chmod(0o755)
    environment = {**os.environ, "AUTOGRADER_ROOT": str(root)}
    environment["PATH"] = f"{tools}{os.pathsep}{environment['PATH']}"
    environment.pop("PYTHONPATH", None)
    packages = os.pathsep.join(site.getsitepackages())
    # the 0 is how pip reads its own negative option
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PYTHONPATH": packages}
    set_up = subprocess.run(
        [root / "source" / "setup.sh"],
        env=environment | offline,
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert set_up.returncode == 0, set_up.stdout + set_up.stderr
    (installed,) = (root / "source" / "project" / ".venv").glob("lib/python*/site-packages")
    (installed / "index.pth").write_text(packages.replace(os.pathsep, "\n"))
    return root, environment


def graded(container, text: str | None, name: str = NOTEBOOK, status: int = 0):
    """Submit a notebook, run run_autograder, and return results.json (None if there is none) and stdout."""
    root, environment = container
    shutil.rmtree(root / "submission", ignore_errors=True)
    (root / "submission").mkdir()
    (root / "results" / "results.json").unlink(missing_ok=True)
    if text is not None:
        (root / "submission" / name).write_text(text)
    done = subprocess.run(
        [root / "run_autograder"], env=environment, cwd=root, capture_output=True, text=True
    )
    assert done.returncode == status, done.stdout + done.stderr
    results = root / "results" / "results.json"
    return (json.loads(results.read_text()) if results.exists() else None), done.stdout


def test_the_scripts_are_at_the_root_and_executable(archive):
    with zipfile.ZipFile(archive) as opened:
        modes = {entry.filename: entry.external_attr >> 16 for entry in opened.infolist()}
    assert modes["setup.sh"] & 0o111
    assert modes["run_autograder"] & 0o111


def test_no_solution_goes_along(archive, course):
    with zipfile.ZipFile(archive) as opened:
        content = {name: opened.read(name).decode(errors="replace") for name in opened.namelist()}
    assert not [name for name in content if name.endswith(".ipynb") or "solutions/" in name]
    for source in course.right.values():
        body = source.split("### BEGIN SOLUTION")[1].split("### END SOLUTION")[0].strip()
        assert body.splitlines()[0] not in content["assignment.json"]


@pytest.mark.long
def test_setup_installs_what_shuts_submissions_in(container):
    root, environment = container
    assert "bubblewrap" in (root / "tools" / "asked").read_text()
    python = root / "source" / "project" / ".venv" / "bin" / "python"
    code = "import autograder, sys; print(autograder.__file__, sys.prefix)"
    done = subprocess.run(
        [python, "-c", code], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [
        str(root / "source" / "project" / "autograder" / "__init__.py"),
        str(python.parent.parent),
    ]


@pytest.mark.long
def test_right_work_has_all_points(container, course):
    results, _ = graded(container, course.notebook(course.right))
    *exercises, for_instructor = results["tests"]
    assert {test["name"]: test["score"] for test in exercises} == POINTS
    assert {test["name"]: test["max_score"] for test in exercises} == POINTS
    assert {test["status"] for test in exercises} == {"passed"}
    assert "Isolation: " in for_instructor["output"]
    assert for_instructor["visibility"] == "hidden"
    assert "Isolation" not in json.dumps([results["output"], exercises])


@pytest.mark.long
def test_wrong_work_is_explained_in_html(container, course):
    wrong = course.right | {"kill_head": submissions.named("kill_head/bad_lets_everything_through").source}
    results, _ = graded(container, course.notebook(wrong))
    by_name = {test["name"]: test for test in results["tests"]}
    assert by_name["kill_head"]["status"] == "failed"
    assert 0 < by_name["kill_head"]["score"] < 4
    assert by_name["kill_head"]["output_format"] == "html"
    assert "missing-mask" in by_name["kill_head"]["output"]
    assert "<svg" in by_name["kill_head"]["output"]
    assert by_name["linear"]["score"] == 5


@pytest.mark.long
def test_the_file_keeps_to_the_documented_format(container, course):
    results, _ = graded(container, course.notebook({}))
    whole = {"score", "execution_time", "output", "output_format", "test_output_format", "test_name_format"}
    whole |= {"visibility", "stdout_visibility", "extra_data", "tests", "leaderboard"}
    each = {"score", "max_score", "status", "name", "name_format", "number", "output", "output_format"}
    each |= {"tags", "visibility", "extra_data"}
    shown = {"hidden", "after_due_date", "after_published", "visible"}
    assert set(results) <= whole
    assert results["visibility"] in shown
    assert results["stdout_visibility"] in shown
    for test in results["tests"]:
        assert set(test) <= each
        assert test["visibility"] in shown
        assert test["output_format"] in {"text", "html", "simple_format", "md", "ansi"}
        assert test.get("status", "passed") in {"passed", "failed"}
        assert set(test) & {"score", "max_score"} in ({"score", "max_score"}, set())
        assert 0 <= test.get("score", 0) <= test.get("max_score", 0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        (None, NOTEBOOK, "There is no notebook 04-exercises.ipynb"),
        (
            "{}",
            "mine.ipynb",
            "mine.ipynb, the only notebook in the folder, was graded as 04-exercises.ipynb.",
        ),
        ('{"cells": [', NOTEBOOK, "not JSON"),
    ],
)
def test_what_cannot_be_read_has_a_reason(container, text, name, says):
    results, _ = graded(container, text, name)
    assert says in results["output"]
    assert {test["score"] for test in results["tests"] if test["visibility"] == "visible"} == {0.0}


@pytest.mark.long
def test_weak_isolation_must_be_allowed(container, course):
    root, _ = container
    bundle = root / "source" / "assignment.json"
    allowed = bundle.read_text()
    bundle.write_text(json.dumps({**json.loads(allowed), "allow_weak_isolation": False}))
    try:
        results, said = graded(container, course.notebook(course.right), status=1)
    finally:
        bundle.write_text(allowed)
    assert results is None
    assert "Not graded. This machine cannot isolate submissions." in said


def test_an_unknown_assignment_is_told_in_one_sentence(course):
    done = run(course.folder, "autograder", "export", "--gradescope", "05-unknown", expect=2)
    assert "autograder: There is no assignment 05-unknown" in done.stderr
    assert not Path(course.folder / "05-unknown-gradescope.zip").exists()
