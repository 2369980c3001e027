"""Which cases `make test` runs, and which are left to `make test-all`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from autograder.exercises import EXERCISES

LAST_OF_EACH_LESSON = [*{exercise.lesson: name for name, exercise in EXERCISES.items()}.values()]


def for_test_all(cases: Iterable[Any]) -> list[Any]:
    """Return cases of a parametrised test, marked `long`; a tuple has a value for each parameter."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        for case in cases
    ]


def first_now(cases: Iterable[Any], count: int = 1) -> list[Any]:
    """Return all cases; those behind the first ones are marked `long`."""
    cases = [*cases]
    return [*cases[:count], *for_test_all(cases[count:])]
