"""Mutants of the corpus's right solutions, tried by the autograder and by an independent judge."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

import independent_engine_judge
import independent_judge
import torch
from mutation import mutants
from rounding_mutation import rounding_mutants
from run_seed import RUN_SEED
from state_mutation import state_mutants
from submissions import Submission
from verdicts import verdict_on

from autograder.exercise import FunctionExercise
from autograder.exercises import find
from vjpcheck.capture import captured_output
from vjpcheck.numbers import RELATIVE


class Tried(NamedTuple):
    """One mutant: whether it is right, and whether it passed."""

    source: str
    right: bool
    passed: bool


def defined(source: str, name: str) -> Any:
    module = sys.modules["mutant"] = ModuleType("mutant")  # where dataclasses look for their module
    exec(compile(source, "<mutant>", "exec"), vars(module))
    torch.set_grad_enabled(True)  # some right work changes the settings of its process
    torch.set_default_dtype(torch.float32)
    return getattr(module, name)


def is_right(exercise: FunctionExercise, work: Any) -> bool:
    """Ask the judge of the exercise's library."""
    judge = independent_engine_judge if exercise.library != "torch" else independent_judge
    return judge.is_right(exercise, work)


def mutants_of(submission: Submission) -> list[str]:
    """Return the mutants of a right submission, none if the other judge does not call it right too.

    It refuses what gradcheck refuses of dense inputs, such as a sparse gradient; the engine accepts that.
    """
    exercise = find(submission.exercise)
    with captured_output():
        try:
            agreed = is_right(exercise, defined(submission.source, exercise.object_name))
        except SystemExit:  # a script may end itself after the class
            return []
    if not agreed:
        return []
    source = submission.source
    # a text that asks for six digits allows a rounded number, and gradcheck's differences of it are noise
    # the engine's second derivatives are compared with differences, which have half of the digits
    exact = exercise.library == "torch" and exercise.tolerance <= RELATIVE
    rounded = [*rounding_mutants(source)] if exact else []
    return [*mutants(source), *state_mutants(source), *rounded]


def trials(exercise: FunctionExercise, chosen: list[str]) -> Iterator[Tried]:
    """Try each mutant; those that cannot be loaded are left out."""
    for mutant in chosen:
        with captured_output():
            try:
                work = defined(mutant, exercise.object_name)
            except (Exception, SystemExit):  # work may try itself out, and raise if it is wrong
                continue
            right = is_right(exercise, work)
            passed = verdict_on(exercise, work, RUN_SEED).passed
        yield Tried(mutant, right, passed)
