"""Right work of tasks with one slip: what is no longer right must not pass, what is must."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import submissions
from independent_tasks import JUDGES, is_right
from mutant_trials import defined
from submissions import Submission
from task_trials import MUTATED, mutants_of, trials
from test_mutants import spread

from autograder.exercise import TaskExercise
from autograder.exercises import EXERCISES, find
from vjpcheck.capture import captured_output

SOME = 8  # mutants, spread evenly over those of two right submissions of an exercise
FURTHER = 3  # of every right submission; `make report-checks` tries all
QUICK = ("unbroadcast", "numerical_jacobian", "hessian_vector_product")  # the long test has all exercises


def judged_as_they_are(id: str, mutants: Sequence[str]) -> None:
    exercise = find(id)
    assert isinstance(exercise, TaskExercise)
    tried = list(trials(exercise, mutants))
    survivors = [mutant.source for mutant in tried if mutant.passed and not mutant.right]
    accused = [mutant.source for mutant in tried if mutant.right and not mutant.passed]
    assert not survivors, "\n\n".join(survivors)
    assert not accused, "\n\n".join(accused)


def test_every_task_has_an_independent_judge_but_that_whose_answer_is_a_list_of_names() -> None:
    tasks = {id for id, exercise in EXERCISES.items() if isinstance(exercise, TaskExercise)}
    assert tasks - set(JUDGES) == {"find_the_bugs"}


@pytest.mark.parametrize("id", QUICK)
def test_some_mutants_of_right_submissions(id: str) -> None:
    rights = spread(submissions.right(id), 2)
    judged_as_they_are(id, spread([mutant for right in rights for mutant in mutants_of(right)], SOME))


@pytest.mark.long
@pytest.mark.parametrize("submission", [right for id in MUTATED for right in submissions.right(id)], ids=str)
def test_further_mutants(submission: Submission) -> None:
    judged_as_they_are(submission.exercise, spread(mutants_of(submission), FURTHER))


@pytest.mark.long
@pytest.mark.parametrize("submission", [right for id in MUTATED for right in submissions.right(id)], ids=str)
def test_the_judge_calls_right_work_right(submission: Submission) -> None:
    with captured_output():
        assert is_right(
            submission.exercise, defined(submission.source, find(submission.exercise).object_name)
        )
