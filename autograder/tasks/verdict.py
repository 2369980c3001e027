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
        if _reachable(exercise, name, outcomes):
            # a notebook in which a student has turned grad mode off is judged like any other
            with torch.inference_mode(False), torch.enable_grad(), np.errstate(all="ignore"):
                found = islice(checks[name](probe, np.random.default_rng(seed)), 1)
                outcome = Outcome(name, tuple(replace(finding, check=name) for finding in found))
        outcomes.append(outcome)
        yield outcome


def _reachable(exercise: TaskExercise, name: str, outcomes: list[Outcome]) -> bool:
    needed = [o.check for o in outcomes] if exercise.needs is None else exercise.needs.get(name, ())
    return all(outcome.passed for outcome in outcomes if outcome.check in needed)
