"""Right work passes in the sandbox as it does in a notebook: nothing there is taken for a trick."""

import re
from pathlib import Path

import pytest

from autograder.exercises import EXERCISES, find
from autograder.feedback import judge
from autograder.grading.levels import Level
from autograder.grading.sandbox import Sandbox, strongest

SUBMISSIONS = Path(__file__).parents[2] / "submissions"


RIGHT = {
    name: [
        path
        for path in sorted((SUBMISSIONS / name).glob("*.py"))
        if path.read_text().startswith("# expected: right\n")
    ]
    for name in EXERCISES
}


@pytest.fixture(scope="module")
def sandbox():
    level, why = strongest()
    if level is not Level.SANDBOX:
        pytest.skip(f"this machine cannot shut submissions in: {why}")
    with Sandbox([find(name) for name in EXERCISES]) as sandbox:
        yield sandbox


@pytest.mark.parametrize("name", RIGHT)
def test_right_work_passes_in_full(sandbox, name):
    exercise = find(name)
    told = {}
    for path in RIGHT[name]:
        source = re.sub(r"^from __future__.*$", "", path.read_text(), flags=re.MULTILINE)
        with sandbox.session() as session:
            ((_, stopped),) = session.run([source])
            result = judge(exercise, session.open(name, exercise.object_name), 7)
        if stopped or not result.passed:
            told[path.name] = stopped or str(result)
    assert not told
