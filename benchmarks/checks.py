"""The autograder's check against the bare gradcheck and gradgradcheck on the same inputs."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import submissions
import torch

from autograder.check import judge, local_probe
from autograder.exercise import FunctionExercise
from autograder.exercises import EXERCISES
from benchmarks.report import Report, at_most
from vjpcheck.arguments import differentiable
from vjpcheck.capture import captured_output
from vjpcheck.probe.torch_tensors import as_tensors
from vjpcheck.samples import drawn
from vjpcheck.source_file import load

SEEDS = itertools.count()
LARGE = ("attention", "conv2d")  # may take a second, the others 300 ms


def rows(report: Report) -> None:
    """Time one right solution of each Function exercise: its check, and gradcheck with gradgradcheck."""
    report.heading("check of right work, against bare gradcheck and gradgradcheck on the same inputs")
    ratios = []
    for exercise in EXERCISES.values():
        if not isinstance(exercise, FunctionExercise) or exercise.library != "torch":
            continue
        if exercise.pullback is not None or exercise.modifies:
            continue  # gradcheck has nothing to say of gradients chosen by hand
        with captured_output():
            work = right_solution(exercise)
            ours = median_ms(lambda exercise=exercise, work=work: checked(exercise, work))  # type: ignore[misc]
            bare = median_ms(lambda exercise=exercise, work=work: bare_checks(exercise, work))  # type: ignore[misc]
        ratios.append(ours / bare)
        bound = at_most(1000 if exercise.id in LARGE else 300)
        report.check(f"{exercise.id}, {ours / bare:.2f} × the bare checks", ours, " ms", bound)
    report.check("median of the ratios", statistics.median(ratios), " ×", at_most(1.6))


def right_solution(exercise: FunctionExercise) -> Any:
    """Return the first right solution of the corpus."""
    return load(submissions.right(exercise.id)[0].file(), exercise.object_name)


def checked(exercise: FunctionExercise, work: Any) -> None:
    """Check once, as a notebook does for the first time: the truth about a seed's numbers is kept."""
    assert judge(exercise, local_probe(exercise, work), seed=next(SEEDS)).passed


def bare_checks(exercise: FunctionExercise, work: Any) -> None:
    """Ask gradcheck and gradgradcheck at every sample, all inputs requiring grad."""
    for arguments in drawn(exercise, np.random.default_rng(0)).samples:
        requires = [differentiable(argument) for argument in arguments]

        def function(*tensors: Any, arguments: Any = arguments, requires: Any = requires) -> Any:
            given = iter(tensors)  # a generator is made anew at each call
            fresh = as_tensors(arguments, [False] * len(arguments))
            return work.apply(*(next(given) if flag else t for t, flag in zip(fresh, requires, strict=True)))

        leaves = [t for t, flag in zip(as_tensors(arguments, requires), requires, strict=True) if flag]
        torch.autograd.gradcheck(function, leaves)
        # of a Function that is declared once differentiable there is nothing to see at second order
        torch.autograd.gradgradcheck(function, leaves, raise_exception=False)


def median_ms(work: Callable[[], None]) -> float:
    """Return the median CPU time of seven runs after a first one, in milliseconds."""
    work()
    times = []
    for _ in range(7):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times) * 1e3
