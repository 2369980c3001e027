"""How well the autograder judges, exercise by exercise: `make report-checks`.

Right solutions of the corpus that pass, mutants of them that fail, mistakes that get their name.
"""

from __future__ import annotations

import os
import sys

# Before torch is imported, here and in the processes of the pool: threads of two would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import mutant_trials
import submissions
import task_trials
from mutant_trials import Tried
from submissions import Submission
from verdicts import in_a_word, verdict

from autograder.exercise import FunctionExercise, TaskExercise
from autograder.exercises import EXERCISES, find
from vjpcheck.mistakes import MISTAKES
from vjpcheck.result import CannotRun

SEEDS = range(5)


class Count(NamedTuple):
    """So many of so many."""

    good: int = 0
    all: int = 0

    def plus(self, other: Count) -> Count:
        """Return the sum of both."""
        return Count(self.good + other.good, self.all + other.all)

    def __str__(self) -> str:
        return f"{self.good:>5} / {self.all:<5}" if self.all else f"{'–':>7}     "


class Row(NamedTuple):
    """What is known of one exercise; `told` names each case that went wrong.

    `failed` counts the mutants that the judge calls wrong, `kept` those that it calls right.
    """

    right: Count
    failed: Count
    kept: Count
    named: Count
    told: tuple[str, ...]


def found_in(submission: Submission, seed: int) -> str:
    """Return what the autograder says of it: right, a mistake's id, wrong, or cannot run."""
    try:
        return in_a_word(verdict(submission, seed))
    except CannotRun:
        return "cannot run"


def row(exercise_id: str) -> Row:
    """Judge the corpus of an exercise and the mutants of its right solutions."""
    right, named, told = Count(), Count(), []
    for submission in submissions.of(exercise_id):
        if submission.hostile:  # they need a process of their own, and have tests of their own
            continue
        expected = submission.expected
        for seed in SEEDS:
            found = found_in(submission, seed)
            if expected == "right":
                right = right.plus(Count(int(found == "right"), 1))
            elif expected in MISTAKES:
                named = named.plus(Count(int(found == expected), 1))
            if found != expected:
                told.append(f"{submission}, seed {seed}: {found}, and {expected} was expected")
    tried = _tried(exercise_id)
    wrong = [mutant for mutant in tried if not mutant.right]
    failed = Count(sum(not mutant.passed for mutant in wrong), len(wrong))
    told += [f"{exercise_id}, a wrong mutant passes:\n{m.source}" for m in wrong if m.passed]
    equivalent = [mutant for mutant in tried if mutant.right]
    kept = Count(sum(mutant.passed for mutant in equivalent), len(equivalent))
    told += [f"{exercise_id}, a right mutant is accused:\n{m.source}" for m in equivalent if not m.passed]
    return Row(right, failed, kept, named, tuple(told))


def _tried(exercise_id: str) -> list[Tried]:
    exercise = find(exercise_id)
    rights = submissions.right(exercise_id)
    if isinstance(exercise, FunctionExercise):
        return [*mutant_trials.trials(exercise, [m for r in rights for m in mutant_trials.mutants_of(r)])]
    if isinstance(exercise, TaskExercise) and exercise_id in task_trials.MUTATED:
        return [*task_trials.trials(exercise, [m for r in rights for m in task_trials.mutants_of(r)])]
    return []


def main() -> None:
    """Print the table, then every case that went wrong."""
    # the layers of networks take longest: no process waits for them at the end
    chosen = sys.argv[1:] or list(EXERCISES)[::-1]
    print(f"{'exercise':<26} right passed  wrong mutants failed  right mutants passed  mistakes named")
    rows = []
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for exercise_id, found in zip(chosen, pool.map(row, chosen), strict=True):
            rows.append(found)
            print(
                f"{exercise_id:<26} {found.right}  {found.failed}         {found.kept}         {found.named}",
                flush=True,
            )
    total = [Count(), Count(), Count(), Count()]
    for found in rows:
        total = [so_far.plus(more) for so_far, more in zip(total, found[:4], strict=True)]
    print(f"{'all':<26} {total[0]}  {total[1]}         {total[2]}         {total[3]}")
    for found in rows:
        for line in found.told:
            print(f"\n{line}")


if __name__ == "__main__":
    main()
