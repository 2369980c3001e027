"""Right solutions with one slip in backward: what is no longer right must not pass, what is must."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import submissions
from mutant_trials import Tried, mutants_of, trials
from submissions import Submission

from autograder.exercise import FunctionExercise
from autograder.exercises import EXERCISES, find

SOME = 6  # mutants, spread evenly over those of five right submissions of an exercise
FURTHER = 6  # of every right submission; `make report-checks` tries all
IDS = [id for id, exercise in EXERCISES.items() if isinstance(exercise, FunctionExercise)]
QUICK = ("kill_head", "linear", "logsumexp", "engine_matmul")  # the long test has all exercises


def spread(things: Sequence[Any], number: int) -> Sequence[Any]:
    return [things[i * len(things) // number] for i in range(number)] if len(things) > number else things


def some(id: str) -> Sequence[str]:
    rights = spread(submissions.right(id), 5)
    return spread([mutant for right in rights for mutant in mutants_of(right)], SOME)


def judged_as_they_are(id: str, mutants: Sequence[str]) -> list[Tried]:
    exercise = find(id)
    assert isinstance(exercise, FunctionExercise)
    tried = list(trials(exercise, mutants))
    survivors = [mutant.source for mutant in tried if mutant.passed and not mutant.right]
    accused = [mutant.source for mutant in tried if mutant.right and not mutant.passed]
    assert not survivors, "\n\n".join(survivors)
    assert not accused, "\n\n".join(accused)
    return tried


@pytest.mark.parametrize("id", QUICK)
def test_some_mutants_of_right_submissions(id: str) -> None:
    tried = judged_as_they_are(id, some(id))
    assert not all(mutant.passed for mutant in tried), "too few mutants to prove anything"


@pytest.mark.long
@pytest.mark.parametrize("submission", [right for id in IDS for right in submissions.right(id)], ids=str)
def test_further_mutants(submission: Submission) -> None:
    judged_as_they_are(submission.exercise, spread(mutants_of(submission), FURTHER))
