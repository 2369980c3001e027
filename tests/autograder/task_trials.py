"""Mutants of the right work of tasks, tried by the autograder and by an independent judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from independent_tasks import JUDGES, is_right
from mutant_trials import Tried, defined
from run_seed import RUN_SEED
from submissions import Submission
from task_mutation import mutants
from verdicts import settings_put_back, verdict_on

from autograder.exercise import TaskExercise
from vjpcheck.capture import captured_output
from vjpcheck.result import CannotRun
from vjpcheck.time_limit import TookTooLong, time_limit

SECONDS = 5.0
# a process registers an op of a name once, and a mutant's would take the place of the right one's
MUTATED = [id for id in JUDGES if id not in ("crop_op", "moments_op")]


def mutants_of(submission: Submission) -> list[str]:
    """Return the mutants of a right submission, without those whose source says the same."""
    return list(dict.fromkeys(mutants(submission.source)))


def trials(exercise: TaskExercise, chosen: Sequence[str]) -> Iterator[Tried]:
    """Try each mutant; those that cannot be loaded, or never end, are left out: they get no points anyway."""
    for mutant in chosen:
        with settings_put_back(), captured_output():
            try:
                with time_limit(SECONDS):
                    work = defined(mutant, exercise.object_name)
                right = is_right(exercise.id, work)
                # again, as what it keeps from the judge's calls must not matter
                work = defined(mutant, exercise.object_name)
            except (Exception, SystemExit, TookTooLong):
                continue
            try:
                passed = verdict_on(exercise, work, RUN_SEED).passed
            except CannotRun:
                passed = False
        yield Tried(mutant, right, passed)
