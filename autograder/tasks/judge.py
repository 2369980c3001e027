"""Runs the checks of a task in order."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from itertools import islice

import numpy as np

from autograder.exercise import TaskExercise
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.result import Finding, Outcome
from vjpcheck.torch_internals import Unavailable
from vjpcheck.usual_settings import usual_settings

# takes the probe, a generator, and the parameters of the exercise's variant by name
Check = Callable[..., Iterator[Finding]]


def judge(exercise: TaskExercise, probe: ProbeClient, seed: int) -> Iterator[Outcome]:
    """Yield the outcome of every check that has points."""
    verdict = import_module(f"autograder.tasks.{exercise.task_folder}.verdict")
    checks: Mapping[str, Check] = verdict.CHECKS
    outcomes: list[Outcome] = []
    for name in exercise.points:
        needed = _needed(exercise, name, outcomes)
        outcome = Outcome(name, reached=False, needed=needed)
        if not needed:
            try:
                with usual_settings(), np.errstate(all="ignore"):
                    findings = checks[name](probe, np.random.default_rng(seed), **exercise.variant)
                    reported = tuple(findings if exercise.all_findings else islice(findings, 1))
                outcome = Outcome(name, tuple(replace(finding, check=name) for finding in reported))
            except Unavailable as missing:
                outcome = Outcome(name, reached=False, unavailable=str(missing))
        outcomes.append(outcome)
        yield outcome


def _needed(exercise: TaskExercise, name: str, outcomes: list[Outcome]) -> tuple[str, ...]:
    """Return the checks that must pass before another one and have not passed."""
    needed = [o.check for o in outcomes] if exercise.needs is None else exercise.needs.get(name, ())
    return tuple(o.check for o in outcomes if o.check in needed and not o.passed)
