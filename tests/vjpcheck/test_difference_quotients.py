"""A backward by central differences is refused in every exercise that asks for the derivative of forward."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tiers import first_now
from verdicts import verdict_on

from autograder.exercise import FunctionExercise
from autograder.exercises import EXERCISES
from vjpcheck.arguments import differentiable
from vjpcheck.probe.backends import backend_of
from vjpcheck.probe.conversion import as_outputs

STEP = 1e-5  # the best one for float64, up to a small factor
SLOW = ("conv2d", "attention")
# forward must say something of its outputs, and this one does not
DECLARES = ("relu_inplace", "threshold_mask")
BY_FORMULA = [
    exercise
    for exercise in EXERCISES.values()
    if isinstance(exercise, FunctionExercise)
    and exercise.by_gradcheck
    and exercise.observe is None
    and exercise.id not in DECLARES
]


def by_differences(exercise: FunctionExercise) -> Any:
    """Return a Function with the exercise's own forward, and central differences of it as its backward."""
    backend = backend_of(exercise.library)

    def outputs(given: list[Any]) -> list[np.ndarray]:
        with backend.no_grad():
            tensors = [backend.argument(a) if isinstance(a, np.ndarray) else a for a in given]
            return [backend.array(y) for y in as_outputs(backend, exercise.forward(*tensors))]

    def gradient(given: list[Any], place: int, cotangents: tuple[Any, ...]) -> Any:
        pulled = np.zeros_like(given[place])
        for entry in np.ndindex(pulled.shape):
            ends = []
            for sign in (1, -1):
                moved = given[place].copy()
                moved[entry] += sign * STEP
                ends.append(outputs([*given[:place], moved, *given[place + 1 :]]))
            for above, below, cotangent in zip(*ends, cotangents, strict=True):
                if cotangent is not None and above.dtype.kind == "f":
                    pulled[entry] += np.sum((above - below) * backend.array(cotangent)) / (2 * STEP)
        return backend.argument(pulled)

    class Work(backend.function_class):
        @staticmethod
        def forward(ctx: Any, *given: Any) -> Any:
            plain = [backend.array(a) if isinstance(a, backend.tensor_class) else a for a in given]
            ctx.given = plain
            return exercise.forward(*(backend.argument(a) if isinstance(a, np.ndarray) else a for a in plain))

        @staticmethod
        def backward(ctx: Any, *cotangents: Any) -> Any:
            return tuple(
                gradient(ctx.given, place, cotangents) if differentiable(a) else None
                for place, a in enumerate(ctx.given)
            )

    return Work


@pytest.mark.parametrize("seed", first_now(range(2)))
@pytest.mark.parametrize(
    "exercise",
    [pytest.param(e, marks=pytest.mark.long) if e.id in SLOW else e for e in BY_FORMULA],
    ids=lambda exercise: exercise.id,
)
def test_its_gradient_is_refused(exercise: FunctionExercise, seed: int) -> None:
    result = verdict_on(exercise, by_differences(exercise), seed)
    assert "gradient" in [finding.check for finding in result.findings]
