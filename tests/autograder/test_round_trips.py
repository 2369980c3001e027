"""How often a verdict asks: a round trip a check, two where a check follows up on what it saw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import submissions
from submissions import Submission
from tiers import LAST_OF_EACH_LESSON, for_test_all
from verdicts import settings_put_back

from autograder.check import local_probe
from autograder.exercise import Exercise, FunctionExercise
from autograder.exercises import EXERCISES, find
from autograder.tasks import judge as tasks
from vjpcheck import judge as functions
from vjpcheck.ask.protocol import ProbeClient, Request
from vjpcheck.capture import captured_output
from vjpcheck.source_file import load


class Counting(ProbeClient):
    """Hands requests on, and counts how often."""

    apart = False

    def __init__(self, probe: ProbeClient) -> None:
        self.probe = probe
        self.trips = 0

    def exchange(self, requests: Sequence[Request[Any]]) -> Any:
        self.trips += 1
        return self.probe.exchange(requests)


def trips(submission: Submission) -> dict[str, int]:
    """Return how many round trips each check took."""
    exercise: Exercise = find(submission.exercise)
    taken: dict[str, int] = {}
    with settings_put_back(), captured_output():
        probe = Counting(local_probe(exercise, load(submission.file(), exercise.object_name)))
        outcomes = (
            functions.judge(exercise, exercise.object_name, [*exercise.points], probe, 0)
            if isinstance(exercise, FunctionExercise)
            else tasks.judge(exercise, probe, 0)
        )
        for outcome in outcomes:
            taken[outcome.check] = probe.trips - sum(taken.values())
    return taken


RIGHT = [submissions.right(exercise)[0] for exercise in EXERCISES]
NOW = [submission for submission in RIGHT if submission.exercise in LAST_OF_EACH_LESSON]
OTHERS = [s for s in (*RIGHT, *submissions.each_mistake_in(3)) if s not in NOW]


@pytest.mark.parametrize("submission", [*NOW, *for_test_all(OTHERS)], ids=str)
def test_a_check_takes_two_round_trips_at_most(submission: Submission) -> None:
    taken = trips(submission)
    assert max(taken.values()) <= 2, taken


def test_a_gradcheck_asks_nothing_that_is_not_in_its_table() -> None:
    for exercise_id in ("linear", "sin_cos", "engine_matmul"):
        taken = trips(submissions.right(exercise_id)[0])
        assert taken["gradient"] == taken["second order"] == 1, taken
