"""Right work passes in the sandbox as it does in a notebook: nothing there is taken for a trick."""

import re

import pytest
import submissions
from isolation import LEVEL
from run_seed import RUN_SEED
from tiers import LAST_OF_EACH_LESSON, for_test_all

from autograder.check import judge
from autograder.exercises import EXERCISES, find
from autograder.grading.sandbox.sandbox import Sandbox


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox([find(name) for name in EXERCISES], LEVEL) as sandbox:
        yield sandbox


RIGHT = [submission for submission in submissions.every() if submission.expected == "right"]
NOW = [submissions.right(exercise)[0] for exercise in LAST_OF_EACH_LESSON]
OTHERS = [submission for submission in RIGHT if submission not in NOW]


# with another seed than in the process of the tests, see test_submissions
@pytest.mark.parametrize("submission", [*NOW, *for_test_all(OTHERS)], ids=str)
def test_right_work_passes_in_full(sandbox, submission):
    exercise = find(submission.exercise)
    source = re.sub(r"^from __future__.*$", "", submission.source, flags=re.MULTILINE)
    with sandbox.session() as session:
        ((_, stopped),) = session.run([source])
        result = judge(exercise, session.open(exercise.subject, exercise.object_name), RUN_SEED)
    assert not stopped
    assert result.passed, str(result)
    assert result.score == result.max_score
