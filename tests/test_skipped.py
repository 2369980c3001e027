"""What a run of the tests says of those that it has skipped, and which of them it may not skip."""

import os
import subprocess
import sys

import pytest
from shipped import ROOT

SKIPPED = """
import pytest

@pytest.mark.parametrize("number", range(2))
def test_one(number):
    pytest.skip("there is no moon")

@pytest.mark.skipif(True, reason="it is Sunday")
def test_another():
    pass
"""
# a machine without bubblewrap, for which there is no package of it either
ELSEWHERE = """
import platform
platform.machine = lambda: "another"
from autograder.grading.sandbox import bwrap
bwrap.bubblewrap = lambda: None
import isolation
print(isolation.LEVEL.weak, isolation.ALLOW, *isolation.needs_sandbox.args)
print(isolation.needs_sandbox.kwargs["reason"])
"""


def test_the_last_lines_say_what_was_not_tried_and_why(tmp_path):
    (tmp_path / "test_it.py").write_text(SKIPPED)
    places = os.pathsep.join(str(ROOT / name) for name in ("tests", "tests/support", "tools"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider", "-n", "2", "test_it.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": places},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    *_, title, two, one, last = done.stdout.splitlines()
    assert "not tried, and why" in title
    assert two == "2 tests: there is no moon"
    assert one == "1 test: it is Sunday"
    assert "3 skipped" in last


def elsewhere(**environment: str) -> list[str]:
    places = os.pathsep.join(map(str, (ROOT, ROOT / "tests" / "support")))
    return subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        env=os.environ | {"PYTHONPATH": places, "TESTS_REQUIRE": ""} | environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")


@on_linux
def test_without_bubblewrap_what_needs_the_sandbox_is_skipped_and_weak_isolation_allowed():
    found, reason = elsewhere()
    assert found == "True ['--allow-weak-isolation'] True"
    assert reason == (
        "This machine can start no sandbox (bubblewrap is not installed). Weaker isolation was tried instead."
    )


@on_linux
def test_what_is_required_is_not_skipped():
    found, _ = elsewhere(TESTS_REQUIRE="browser sandbox")
    assert found == "True ['--allow-weak-isolation'] False"
