"""Right work passes in the sandbox as it does in a notebook: nothing there is taken for a trick."""

import re

import pytest
from tiers import for_test_all

from autograder.check import judge
from autograder.exercises import EXERCISES, find
from autograder.grading.sandbox.levels import Level
from autograder.grading.sandbox.sandbox import Sandbox, strongest

from .right_work import RIGHT


@pytest.fixture(scope="module")
def sandbox():
    level, why = strongest()
    if level is not Level.SANDBOX:
        pytest.skip(f"this machine cannot isolate submissions: {why}")
    with Sandbox([find(name) for name in EXERCISES]) as sandbox:
        yield sandbox


def passes(sandbox, submission):
    exercise = find(submission.exercise)
    source = re.sub(r"^from __future__.*$", "", submission.source, flags=re.MULTILINE)
    with sandbox.session() as session:
        ((_, stopped),) = session.run([source])
        result = judge(exercise, session.open(exercise.subject, exercise.object_name), 7)
    assert not stopped
    assert result.passed, str(result)


LAST_OF_LESSON = {exercise.lesson: name for name, exercise in EXERCISES.items()}
NOW = [RIGHT[name][0] for name in LAST_OF_LESSON.values()]
OTHERS = [submission for name in EXERCISES for submission in RIGHT[name] if submission not in NOW]


@pytest.mark.parametrize("submission", [*NOW, *for_test_all(OTHERS)], ids=str)
def test_right_work_passes_in_full(sandbox, submission):
    passes(sandbox, submission)
