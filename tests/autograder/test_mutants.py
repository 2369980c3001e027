"""Right solutions with one slip in backward: what is no longer right must not pass, what is must."""

from __future__ import annotations

import pytest
import submissions
from mutant_trials import Tried, mutants_of, trials
from submissions import Submission

from autograder.exercise import FunctionExercise
from autograder.exercises import EXERCISES, find

SOME = 15  # mutants, spread evenly over those of an exercise's first right submission
RIGHT = [
    right
    for id, exercise in EXERCISES.items()
    if getattr(exercise, "library", "") == "torch"
    for right in submissions.right(id)
]
FIRST = [right for right in RIGHT if right == submissions.right(right.exercise)[0]]


def some(mutants: list[str]) -> list[str]:
    return mutants[:: max(1, len(mutants) // SOME)]


def judged_as_they_are(submission: Submission, mutants: list[str]) -> list[Tried]:
    exercise = find(submission.exercise)
    assert isinstance(exercise, FunctionExercise)
    tried = list(trials(exercise, mutants))
    survivors = [mutant.source for mutant in tried if mutant.passed and not mutant.right]
    accused = [mutant.source for mutant in tried if mutant.right and not mutant.passed]
    assert not survivors, "\n\n".join(survivors)
    assert not accused, "\n\n".join(accused)
    return tried


@pytest.mark.parametrize("submission", FIRST, ids=lambda first: first.exercise)
def test_some_mutants_of_a_right_submission(submission: Submission) -> None:
    tried = judged_as_they_are(submission, some(mutants_of(submission)))
    assert sum(not mutant.passed for mutant in tried) >= 3, "too few mutants to prove anything"


@pytest.mark.long
@pytest.mark.parametrize("submission", RIGHT, ids=str)
def test_all_other_mutants(submission: Submission) -> None:
    mutants = mutants_of(submission)
    tried_before = some(mutants) if submission in FIRST else []
    judged_as_they_are(submission, [mutant for mutant in mutants if mutant not in tried_before])
