"""How well the autograder judges, exercise by exercise: `make report-checks`.

Right solutions of the corpus that pass, mutants of them that fail, mistakes that get their name.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import torch
from mutant_trials import SUBMISSIONS, all_mutants, trials

from autograder.capture import captured_output
from autograder.exercises import EXERCISES, find
from autograder.feedback import judge
from autograder.function.exercise import FunctionExercise
from autograder.mistakes import MISTAKES
from autograder.result import CannotRun
from autograder.submission import load

MARK = "# expected: "
SEED = 7


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
    """What is known of one exercise; `told` names each case that went wrong."""

    right: Count
    failed: Count
    named: Count
    told: tuple[str, ...]


def found_in(path: Path) -> str:
    """Return what the autograder says of a file: right, a mistake's id, wrong, or cannot run."""
    exercise = find(path.parent.name)
    torch.set_grad_enabled(True)  # the work before may have changed the settings of the process
    torch.set_default_dtype(torch.float32)
    try:
        with captured_output():
            result = judge(exercise, exercise.probe(load(path, exercise.object_name)), SEED)
    except CannotRun:
        return "cannot run"
    return "right" if result.passed else result.findings[0].mistake or "wrong"


def row(exercise_id: str) -> Row:
    """Judge the corpus of an exercise and the mutants of its right solutions."""
    right, named, told = Count(), Count(), []
    for path in sorted((SUBMISSIONS / exercise_id).glob("*.py")):
        if path.name.startswith("hostile_"):  # they need a process of their own, and have tests of their own
            continue
        expected = path.read_text().splitlines()[0].removeprefix(MARK)
        found = found_in(path)
        if expected == "right":
            right = right.plus(Count(int(found == "right"), 1))
        elif expected in MISTAKES:
            named = named.plus(Count(int(found == expected), 1))
        if found != expected:
            told.append(f"{path.parent.name}/{path.name}: {found}, and {expected} was expected")
    exercise, failed = find(exercise_id), Count()
    if isinstance(exercise, FunctionExercise):
        tried = list(trials(exercise, all_mutants(exercise)))
        wrong = [mutant for mutant in tried if not mutant.right]
        failed = Count(sum(not mutant.passed for mutant in wrong), len(wrong))
        told += [f"{exercise_id}, a wrong mutant passes:\n{m.source}" for m in wrong if m.passed]
        accused = [m for m in tried if m.right and not m.passed]
        told += [f"{exercise_id}, a right mutant is accused:\n{m.source}" for m in accused]
    return Row(right, failed, named, tuple(told))


def main() -> None:
    """Print the table, then every case that went wrong."""
    chosen = sys.argv[1:] or list(EXERCISES)
    print(f"{'exercise':<26} right passed  mutants failed  mistakes named")
    rows = []
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for exercise_id, found in zip(chosen, pool.map(row, chosen), strict=True):
            rows.append(found)
            print(f"{exercise_id:<26} {found.right}  {found.failed}    {found.named}", flush=True)
    total = [Count(), Count(), Count()]
    for found in rows:
        total = [so_far.plus(more) for so_far, more in zip(total, found[:3], strict=True)]
    print(f"{'all':<26} {total[0]}  {total[1]}    {total[2]}")
    for found in rows:
        for line in found.told:
            print(f"\n{line}")


if __name__ == "__main__":
    main()
