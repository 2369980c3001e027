"""Right solutions with one slip in backward: what is no longer right must not pass, what is must."""

from __future__ import annotations

import pytest
from mutant_trials import all_mutants, trials

from autograder.exercises import EXERCISES, find
from autograder.function.exercise import FunctionExercise

AT_MOST = 60  # mutants of an exercise, spread evenly over all; `make report-checks` takes every one
FUNCTIONS = [id for id, exercise in EXERCISES.items() if type(exercise) is FunctionExercise]


@pytest.mark.parametrize("exercise_id", FUNCTIONS)
def test_every_mutant_that_is_not_right_fails(exercise_id: str) -> None:
    exercise = find(exercise_id)
    assert isinstance(exercise, FunctionExercise)
    every = all_mutants(exercise)
    tried = list(trials(exercise, every[:: max(1, len(every) // AT_MOST)]))
    survivors = [mutant.source for mutant in tried if mutant.passed and not mutant.right]
    accused = [mutant.source for mutant in tried if mutant.right and not mutant.passed]
    assert not survivors, "\n\n".join(survivors)
    assert not accused, "\n\n".join(accused)
    assert sum(not mutant.passed for mutant in tried) >= 10, "too few mutants to prove anything"
