"""What `diagnose` finds in wrong Functions, and how long it takes, beside gradcheck and gradgradcheck."""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import submissions
import torch
from reader_site import gallery

from autograder.exercise import FunctionExercise
from autograder.exercises import EXERCISES
from benchmarks.report import Report, at_least, at_most
from vjpcheck import diagnose
from vjpcheck.capture import captured_output
from vjpcheck.diagnosis.expression import evaluate
from vjpcheck.probe.torch_tensors import as_tensors
from vjpcheck.result import CannotRun
from vjpcheck.samples import drawn
from vjpcheck.source_file import load


class Wrong(NamedTuple):
    """A wrong Function with inputs, a reference, and the name of its mistake."""

    function: Any
    inputs: list[Any]
    like: Callable[..., Any]
    mistake: str


def rows(report: Report) -> None:
    """Count what is found in the gallery, and in one submission of each mistake, and compare the times."""
    for title, cases in (
        ("the gallery", [*of_gallery()]),
        ("the corpus, one of each mistake", [*of_corpus()]),
    ):
        report.heading(f"wrong Functions of {title} ({len(cases)}), beside gradcheck with gradgradcheck")
        bare, found, named, ratios = 0, 0, 0, []
        for case in cases:
            with captured_output(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                start = time.process_time()
                bare += refused(case)
                between = time.process_time()
                result = diagnose(case.function, *case.inputs, like=case.like)
                ratios.append((time.process_time() - between) / (between - start))
            found += bool(result.findings)
            named += any(finding.mistake == case.mistake for finding in result.findings)
        print(f"  {'refused by gradcheck or gradgradcheck':<34}{bare:>7} of {len(cases)}")
        report.check("found by diagnose", found, f" of {len(cases)}", at_least(0.8 * len(cases)))
        report.check("with the name of its file", named, f" of {len(cases)}", at_least(0.7 * len(cases)))
        # it tries ten times as many inputs, and says what is wrong
        report.check("time, median of the ratios", statistics.median(ratios), " ×", at_most(40))


def of_gallery() -> Iterator[Wrong]:
    """Yield the Functions of the site's gallery."""
    for path in gallery.FILES:
        wrong = gallery.run(path)
        inputs = evaluate(load(path, "INPUTS"))
        yield Wrong(load(path, wrong.function), inputs, load(path, "reference"), wrong.mistake)


def of_corpus() -> Iterator[Wrong]:
    """Yield one submission of each mistake of an exercise with a reference, on tensors and numbers."""
    for submission in submissions.each_mistake_in(1):
        exercise = EXERCISES[submission.exercise]
        if not isinstance(exercise, FunctionExercise) or exercise.library != "torch":
            continue
        if exercise.pullback is not None or exercise.modifies or submission.expected == "wrong":
            continue
        arguments = drawn(exercise, np.random.default_rng(0)).samples[0]
        if not all(isinstance(argument, (np.ndarray, int, float, type(None))) for argument in arguments):
            continue
        with captured_output():
            try:
                work = load(submission.file(), exercise.object_name)
            except CannotRun:
                continue
        inputs = as_tensors(arguments, [False] * len(arguments))
        yield Wrong(work, inputs, exercise.forward, submission.expected)


def refused(case: Wrong) -> bool:
    """Return whether gradcheck or gradgradcheck refuses a Function, or raises."""
    inputs = [
        x.double().clone().requires_grad_() if isinstance(x, torch.Tensor) and x.is_floating_point() else x
        for x in case.inputs
    ]
    try:
        return not all(
            check(case.function.apply, inputs, raise_exception=False)
            for check in (torch.autograd.gradcheck, torch.autograd.gradgradcheck)
        )
    except Exception:  # of a backward that cannot be run, or not twice
        return True
