"""Right work passes in the sandbox as it does in a notebook: nothing there is taken for a trick.

The first of an exercise is recorded, and the others are asked ahead by what it was asked.
"""

import re

import pytest

from autograder.exercises import EXERCISES, find
from autograder.feedback import judge
from autograder.grading.ahead import Script
from autograder.grading.levels import Level
from autograder.grading.sandbox import Sandbox, strongest

from .right_work import RIGHT


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
    script: Script | None = None
    for path in RIGHT[name]:
        source = re.sub(r"^from __future__.*$", "", path.read_text(), flags=re.MULTILINE)
        with sandbox.session() as session:
            ((_, stopped),) = session.run([source])
            record: list[list[bytes]] = [[]]
            result = judge(exercise, session.open(name, exercise.object_name, script, record), 7)
            script = script or Script(record)
        if stopped or not result.passed:
            told[path.name] = stopped or str(result)
    assert not told
