"""What the autograder says of work: the one place where the tests ask it."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from submissions import Submission

from autograder.capture import captured_output
from autograder.check import judge, local_probe
from autograder.exercise import Exercise
from autograder.exercises import find
from autograder.result import Result
from autograder.submission import load
from autograder.worker import SubprocessProbe

_interpreter = ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyInterpreterState_Get", ctypes.pythonapi))
_get_frame_evaluation = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(
    ("_PyInterpreterState_GetEvalFrameFunc", ctypes.pythonapi)
)
_set_frame_evaluation = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(
    ("_PyInterpreterState_SetEvalFrameFunc", ctypes.pythonapi)
)


def verdict(submission: Submission, seed: int) -> Result:
    """Load a submission and judge it here; raises CannotRun."""
    exercise = find(submission.exercise)
    with settings_put_back(), captured_output():
        return verdict_on(exercise, load(submission.file(), exercise.object_name), seed)


def verdict_apart(submission: Submission, seed: int) -> Result:
    """Judge a submission that stands in a process of its own; raises CannotRun."""
    exercise = find(submission.exercise)
    with SubprocessProbe(exercise.subject, submission.file()) as probe:
        return judge(exercise, probe, seed)


def verdict_on(exercise: Exercise, work: Any, seed: int) -> Result:
    """Judge what stands under the exercise's name."""
    return judge(exercise, local_probe(exercise, work), seed)


def in_a_word(result: Result) -> str:
    """Return `right`, or the first finding's mistake, or `wrong`: what a submission's header expects."""
    return "right" if result.passed else result.findings[0].mistake or "wrong"


@contextmanager
def settings_put_back() -> Iterator[None]:
    """Put back what work may change for its whole process.

    torch.compile that ends in an error leaves its own evaluation of frames switched on (seen in torch 2.13):
    from then on each call of a Python function takes room on the C stack, which recursion 100,000 deep
    overflows.
    """
    path, evaluation = [*sys.path], _get_frame_evaluation(_interpreter())
    try:
        yield
    finally:
        _set_frame_evaluation(_interpreter(), evaluation)
        sys.path[:] = path
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)
        torch.set_printoptions(profile="default")
