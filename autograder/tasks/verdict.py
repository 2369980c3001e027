"""Runs the checks of a task in order; each gives its first finding, the cause of what may follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from itertools import islice
from typing import Any

import numpy as np
import torch

from autograder.result import Finding, Outcome
from autograder.tasks.exercise import TaskExercise

Check = Callable[[Any, np.random.Generator], Iterator[Finding]]


def judge(exercise: TaskExercise, probe: Any, seed: int) -> Iterator[Outcome]:
    """Yield the outcome of every check that has points."""
    checks: Mapping[str, Check] = import_module(f"autograder.tasks.{exercise.id}.verdict").CHECKS
    outcomes: list[Outcome] = []
    for name in exercise.points:
        outcome = Outcome(name, reached=False)
        if _reachable(exercise, outcomes):
            # a notebook in which a student has turned grad mode off is judged like any other
            with torch.inference_mode(False), torch.enable_grad(), np.errstate(all="ignore"):
                found = islice(checks[name](probe, np.random.default_rng(seed)), 1)
                outcome = Outcome(name, tuple(replace(finding, check=name) for finding in found))
        outcomes.append(outcome)
        yield outcome


def _reachable(exercise: TaskExercise, outcomes: list[Outcome]) -> bool:
    if exercise.builds_on == "nothing":
        return True
    return all(o.passed for o in (outcomes if exercise.builds_on == "all before" else outcomes[:1]))
