"""Goes through an assignment with the instructor's own solutions, to learn what right work will be asked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import takewhile
from typing import Any

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises import find
from autograder.grading.ahead import Script, Sections
from autograder.grading.assignment import Assignment
from autograder.grading.sandbox import Sandbox
from autograder.result import CannotRun

BESIDE = 1e-12  # less than any check can see, and seen in the bits of a request that follows from an answer


def rehearse(assignment: Assignment, sandbox: Sandbox, seed: int) -> dict[str, Script]:
    """Return a script for each graded cell by its grade_id: what is asked of the solution, check by check.

    Requests that follow from an answer are left out: a submission must learn nothing of the solution. Where
    the solution itself fails, the script ends.
    """
    scripts: dict[str, Script] = {}
    by_place = {task.cell: task for task in assignment.tasks}
    with suppress(CannotRun), sandbox.session() as session:
        for place, cell in enumerate(assignment.cells):
            task = by_place.get(place)
            if task is not None:
                opened = partial(session.open, task.exercise, task.expression, None)
                with suppress(Exception):  # whatever it is, it costs time and no grade
                    scripts[task.grade_id] = Script(steady(find(task.exercise), opened, seed))
            elif cell["cell_type"] == "code":
                session.run([cell["source"]])
    return scripts


def steady(exercise: Exercise, probe: Callable[[list[list[bytes]]], Any], seed: int) -> Sections:
    """Return what is asked, a section a check, as far as it stays the same when answers are a little off.

    `probe` makes a probe that writes what it is asked into the list's last section.
    """
    asked = _asked(exercise, probe, seed, lambda made: made)
    otherwise = _asked(exercise, probe, seed, _Beside)
    return [
        [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], zip(section, other, strict=False))]
        for section, other in zip(asked, otherwise, strict=False)
    ]


def _asked(
    exercise: Exercise,
    probe: Callable[[list[list[bytes]]], Any],
    seed: int,
    wrapped: Callable[[Any], Any],
) -> Sections:
    record: list[list[bytes]] = [[]]
    for _ in exercise.judge(wrapped(probe(record)), seed):
        record.append([])
    return record


class _Beside:
    """A probe whose answers are a little off."""

    apart = True

    def __init__(self, probe: Any) -> None:
        self._probe = probe

    def __getattr__(self, method: str) -> Callable[..., Any]:
        return lambda *arguments: _beside(getattr(self._probe, method)(*arguments))


def _beside(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value * (1 + BESIDE * np.random.default_rng(0).uniform(0.5, 1, value.shape))
    if type(value) is float:
        return value * (1 + BESIDE)
    if isinstance(value, dict):
        return {key: _beside(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_beside(item) for item in value]
    return value
