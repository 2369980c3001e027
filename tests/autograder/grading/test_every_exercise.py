"""Work shut in for grading gets what it gets in a notebook: the right solutions of every exercise."""

import pytest
from mutant_trials import right_sources

from autograder.exercises import EXERCISES, find
from autograder.feedback import judge
from autograder.grading.levels import TooWeak
from autograder.grading.sandbox import Sandbox


@pytest.fixture(scope="module")
def sandbox():
    try:
        with Sandbox(list(EXERCISES.values())) as sandbox:
            yield sandbox
    except TooWeak as refusal:
        pytest.skip(f"this machine cannot shut submissions in: {refusal}")


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_right_work_passes_in_full(sandbox, exercise_id):
    exercise = find(exercise_id)
    for source in right_sources(exercise_id):
        with sandbox.session() as session:
            session.run([source])
            result = judge(exercise, session.open(exercise_id, exercise.object_name), sandbox.seed)
        assert result.passed, f"{source}\n{result}"
