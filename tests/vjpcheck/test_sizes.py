"""Thresholds that a Function has of its own show, however large or small they are, in every exercise."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import pytest
import submissions
from run_seed import RUN_SEED
from verdicts import verdict_on

from autograder.exercise import FunctionExercise
from autograder.exercises import EXERCISES
from vjpcheck.numbers import RELATIVE
from vjpcheck.probe.backends import backend_of
from vjpcheck.result import Result
from vjpcheck.source_file import load

FUNCTIONS = [exercise for exercise in EXERCISES.values() if isinstance(exercise, FunctionExercise)]
PRECISE = [exercise for exercise in FUNCTIONS if exercise.tolerance <= RELATIVE]
# what forward draws is not known at other inputs, and a leaf cannot be modified in place behind a copy
UNLIMITED = [e for e in PRECISE if e.observe is None and not e.modifies]


def judged(exercise: FunctionExercise, method: str, change: Callable[[Any, Any], Any]) -> Result:
    """Judge right work, with a change of each tensor that one of its methods is given."""
    work: Any = load(submissions.right(exercise.id)[0].file(), exercise.object_name)
    backend = backend_of(exercise.library)
    method = backend.backward_name(work) if method == "backward" else method
    original = getattr(work, method)

    def changed(value: Any) -> Any:
        return change(backend, value) if isinstance(value, backend.tensor_class) else value

    @wraps(original)
    def replacement(*given: Any) -> Any:
        return original(*map(changed, given))

    return verdict_on(
        exercise, type(exercise.object_name, (work,), {method: staticmethod(replacement)}), RUN_SEED
    )


def unchanged(backend: Any, tensor: Any) -> Any:
    return tensor


def without_small_numbers(backend: Any, tensor: Any) -> Any:
    numbers = backend.array(tensor)
    kept = np.abs(numbers) > 1e-9
    return tensor if kept.all() else tensor * backend.argument(kept.astype(numbers.dtype))


def within_eight(backend: Any, tensor: Any) -> Any:
    numbers = backend.array(tensor)
    return tensor if (np.abs(numbers) <= 8).all() else backend.argument(np.clip(numbers, -8, 8))


@pytest.mark.long
@pytest.mark.parametrize("method", ["forward", "backward"])
@pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda exercise: exercise.id)
def test_without_a_change_the_work_is_right(exercise: FunctionExercise, method: str) -> None:
    assert judged(exercise, method, unchanged).passed


@pytest.mark.parametrize("exercise", PRECISE, ids=lambda exercise: exercise.id)
def test_a_backward_that_drops_small_cotangents_is_wrong(exercise: FunctionExercise) -> None:
    result = judged(exercise, "backward", without_small_numbers)
    assert "gradient" in {finding.check for finding in result.findings}


@pytest.mark.parametrize("exercise", UNLIMITED, ids=lambda exercise: exercise.id)
def test_a_forward_that_limits_its_inputs_is_wrong(exercise: FunctionExercise) -> None:
    result = judged(exercise, "forward", within_eight)
    assert "forward" in {finding.check for finding in result.findings}
