"""What a notebook calls: `check` as often as one likes, `grade` in the locked cell."""

from __future__ import annotations

import time
from typing import Any

from autograder.capture import captured_output
from autograder.exercise import Exercise
from autograder.exercises import find
from autograder.result import CannotRun, Finding, Outcome, Result

NOTEBOOK_SEED = 0  # the same inputs at every call, so that a student can follow one number


def judge(exercise: Exercise, probe: Any, seed: int) -> Result:
    """Run every check of an exercise against a probe and gather the outcomes, in order."""
    start = time.perf_counter()
    outcomes = tuple(exercise.judge(probe, seed))
    return Result(exercise.id, exercise.points, outcomes, time.perf_counter() - start)


def refused(exercise: Exercise, reason: str) -> Result:
    """Return the result of work that could not be tried: no points, and the reason as its one finding."""
    first = next(iter(exercise.points))
    return Result(exercise.id, exercise.points, (Outcome(first, (Finding(first, reason),)),), 0.0)


def check(exercise_id: str, work: Any) -> Result:
    """Check a piece of work against an exercise, in this process, any number of times.

    `work` is what the exercise asks for: a Function class, a function, a dict. Returns a result that
    shows itself in a notebook. What the work prints is kept and shown with the result.
    Raises ValueError if there is no such exercise.
    """
    exercise = find(exercise_id)
    with captured_output() as printed:
        try:
            result = judge(exercise, exercise.probe(work), NOTEBOOK_SEED)
        except CannotRun as refusal:
            result = refused(exercise, str(refusal))
    return Result(result.exercise, result.points, result.outcomes, result.seconds, printed.getvalue())


def grade(exercise_id: str, work: Any) -> float:
    """Show the result of `check` and return the score, which nbgrader takes as the cell's points.

    Nothing that the work prints or warns reaches the cell: nbgrader gives 0 points for any stderr.
    """
    result = check(exercise_id, work)
    from IPython.display import display

    display(result)
    return result.score
