"""Right work passes under guards as it does in a notebook: nothing in it is taken for a trick."""

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


# a person has to look: native derivatives, a metaclass, a function taken out of a method
LOOKED_AT = {
    "conv2d/aten_convolution_backward",
    "kill_head/odd_metaclass",
    "unbroadcast/by_the_engine",
}
RIGHT = [s for s in submissions.every() if s.expected == "right" and str(s) not in LOOKED_AT]
NOW = [submissions.right(exercise)[0] for exercise in LAST_OF_EACH_LESSON]
OTHERS = [submission for submission in RIGHT if submission not in NOW]


# with another seed than in the process of the tests, see test_submissions
@pytest.mark.parametrize("submission", [*NOW, *for_test_all(OTHERS)], ids=str)
def test_right_work_passes_in_full(sandbox, submission):
    exercise = find(submission.exercise)
    with sandbox.session() as session:
        ((_, stopped),) = session.run([submission.source], exercise.may_use)
        result = judge(exercise, session.open(exercise.subject, exercise.object_name), RUN_SEED)
    assert not stopped
    assert result.passed, str(result)
    assert result.score == result.max_score
