"""Judges work: a notebook calls `check` any number of times, and `grade` in the locked cell."""

import json
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from autograder import other_variant
from autograder.exercise import Exercise, FunctionExercise, TaskExercise
from autograder.exercises import find
from autograder.guards.guards import foreseen
from autograder.tasks import judge as tasks
from vjpcheck import judge as functions
from vjpcheck.ask.protocol import LocalProbe, ProbeClient
from vjpcheck.capture import captured_output
from vjpcheck.probes import probe_of
from vjpcheck.remarks import never_ran
from vjpcheck.render.display import ResultLine, ShownResult
from vjpcheck.render.text import in_brief
from vjpcheck.result import CannotRun, Finding, Outcome, Result
from vjpcheck.time_limit import Stopped, time_limit
from vjpcheck.usual_settings import usual_settings

NOTEBOOK_SEED = 0  # the same inputs at every call, so that a student can follow one number
VALIDATING = ("NBGRADER_EXECUTION", "validate")  # nbgrader's Validate sets it in the environment

SECOND_WAYS = Path(__file__).parent / "exercises" / "second_ways.json"  # written by `make exercises`

_last_results: dict[str, Result] = {}  # the last result that `check` has shown, by exercise


def judge(exercise: Exercise, probe: ProbeClient, seed: int) -> Result:
    """Run every check of an exercise and return its result, with the outcomes in order.

    The verdict only sends requests to the probe, and never runs the student's code itself.
    """
    start = time.perf_counter()
    outcomes = tuple(_outcomes(exercise, probe, seed))
    remarks = never_ran(probe, outcomes)
    seconds = time.perf_counter() - start
    return ShownResult(exercise.id, exercise.points, outcomes, seconds, never_ran=remarks)


def _outcomes(exercise: Exercise, probe: ProbeClient, seed: int) -> Iterator[Outcome]:
    if isinstance(exercise, FunctionExercise):
        outcomes = functions.judge(exercise, exercise.object_name, [*exercise.points], probe, seed)
        return other_variant.named(exercise, probe, outcomes)
    if isinstance(exercise, TaskExercise):
        return tasks.judge(exercise, probe, seed)
    raise TypeError(f"nothing judges a {type(exercise).__name__}")


def local_probe(exercise: Exercise, work: Any) -> LocalProbe:
    """Return a probe of the work in this process; raises CannotRun for work of another kind."""
    return LocalProbe(probe_of(exercise.subject, work))


def refused(exercise: Exercise, reason: str) -> Result:
    """Return the result of work that could not be tried: no points, and the reason as the only finding."""
    first = next(iter(exercise.points))
    return ShownResult(exercise.id, exercise.points, (Outcome(first, (Finding(first, reason),)),), 0.0)


def check(exercise_id: str, work: Any) -> Result:
    """Check a piece of work against an exercise, in this process, any number of times.

    `work` is a Function class, a function or a dict, as the exercise asks. Returns a result that displays
    itself in a notebook; for right work it includes a second solution, folded. The result also shows the
    printed output of the work. Work that takes too long is stopped. Raises ValueError if there is no such
    exercise.
    """
    exercise = find(exercise_id)
    result = _checked(exercise, work)
    if beyond := foreseen(work, exercise.may_use):
        line = f"`{beyond}` is more than the exercise needs: if points depend on it, a person will look at it"
        result = replace(result, caution=line)
    if result.passed:
        result = replace(result, second_way=_second_ways().get(exercise_id, ""))
    _last_results[exercise_id] = result
    return result


@cache
def _second_ways() -> dict[str, str]:
    if not SECOND_WAYS.exists():  # `autograder handout` does not pack it
        return {}
    code_by_exercise: dict[str, str] = json.loads(SECOND_WAYS.read_text(encoding="utf-8"))
    return code_by_exercise


def _checked(exercise: Exercise, work: Any) -> Result:
    with captured_output() as printed:
        try:
            result = _in_time(exercise, work)
        except CannotRun as refusal:
            result = refused(exercise, str(refusal))
    return replace(result, printed=printed.getvalue())


def _in_time(exercise: Exercise, work: Any) -> Result:
    try:
        # the truth too is computed in the notebook's process
        with usual_settings(), time_limit(exercise.seconds, Stopped):
            return judge(exercise, local_probe(exercise, work), NOTEBOOK_SEED)
    except Stopped:
        limit = f"{exercise.seconds:g} seconds"
        reason = f"{exercise.object_name} took longer than {limit} and was stopped: is there an endless loop?"
        return refused(exercise, reason)


class NotYetRight(Exception):  # noqa: N818 - said to a student, where nbgrader validates
    """The message of Validate for an exercise with a mistake: the first mistake and why it matters."""

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows in place of a traceback."""
        return str(self).splitlines()


def grade(exercise_id: str, work: Any) -> float:
    """Show the result of `check` and return the score, which nbgrader takes as the cell's points.

    If `check` has just shown the same result, only one line is shown. Printed output and warnings of the work
    do not reach the cell, because nbgrader gives 0 points for any stderr. When nbgrader validates a notebook,
    work that is not all right raises NotYetRight, because Validate shows only the error of a cell.
    """
    result = _checked(find(exercise_id), work)
    if os.environ.get(VALIDATING[0]) == VALIDATING[1] and not result.passed:
        raise NotYetRight("\n".join(in_brief(result)))
    from IPython.display import display

    previous = _last_results.get(exercise_id)
    display(ResultLine(result) if previous is not None and previous.outcomes == result.outcomes else result)
    return result.score
