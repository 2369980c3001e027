"""What the autograder says of work: the one place where the tests ask it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from submissions import Submission

from autograder.check import judge, local_probe
from autograder.exercise import Exercise
from autograder.exercises import find
from vjpcheck.capture import captured_output
from vjpcheck.result import Result
from vjpcheck.source_file import load
from vjpcheck.worker import SubprocessProbe


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
    """Put back what work may change for its whole process."""
    path = [*sys.path]
    try:
        yield
    finally:
        sys.path[:] = path
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)
        torch.set_printoptions(profile="default")
