"""Mutants of the corpus's right solutions, tried by the autograder and by an independent judge."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import torch
from independent_judge import is_right
from mutation import mutants

from autograder.capture import captured_output
from autograder.feedback import judge
from autograder.function.exercise import FunctionExercise

SUBMISSIONS = Path(__file__).parents[1] / "submissions"


class Tried(NamedTuple):
    """One mutant: whether it is right, and whether it passed."""

    source: str
    right: bool
    passed: bool


def right_sources(exercise_id: str) -> list[str]:
    paths = sorted((SUBMISSIONS / exercise_id).glob("*.py"))
    texts = [path.read_text() for path in paths if not path.name.startswith("hostile_")]
    return [text for text in texts if text.startswith("# expected: right\n")]


def defined(source: str, name: str) -> Any:
    module = sys.modules["mutant"] = ModuleType("mutant")  # where dataclasses look for their module
    exec(compile(source, "<mutant>", "exec"), vars(module))
    torch.set_grad_enabled(True)  # some right work changes the settings of its process
    torch.set_default_dtype(torch.float32)
    return getattr(module, name)


def all_mutants(exercise: FunctionExercise) -> list[str]:
    """Return the mutants of those right solutions that the other judge calls right too.

    It refuses what gradcheck refuses of dense inputs, such as a sparse gradient; the engine accepts that.
    """
    found = []
    for source in right_sources(exercise.id):
        with captured_output():
            try:
                agreed = is_right(exercise, defined(source, exercise.object_name))
            except SystemExit:  # a script may end itself after the class
                continue
        found += mutants(source) if agreed else []
    return found


def trials(exercise: FunctionExercise, chosen: list[str]) -> Iterator[Tried]:
    """Try each mutant; those that cannot be loaded are left out."""
    for mutant in chosen:
        with captured_output():
            try:
                work = defined(mutant, exercise.object_name)
            except (Exception, SystemExit):  # work may try itself out, and raise if it is wrong
                continue
            right = is_right(exercise, work)
            passed = judge(exercise, exercise.probe(work), seed=1).passed
        yield Tried(mutant, right, passed)
