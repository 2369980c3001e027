"""The small case of a text: the numbers of a member at its small arguments, by autograd, and as LaTeX."""

from dataclasses import dataclass

import numpy as np

from autograder.exercise import FunctionExercise
from vjpcheck.arguments import differentiable
from vjpcheck.truth.native import NativeTruth

COMMA = r",\ "


@dataclass(frozen=True)
class SmallCase:
    """Arguments and gradients by the name of the parameter, outputs and cotangents in their order.

    An output without a gradient has None as its cotangent.
    """

    arguments: dict[str, object]
    outputs: list[np.ndarray]
    cotangents: list[np.ndarray | None]
    gradients: dict[str, np.ndarray]


def small_case(exercise: FunctionExercise, cotangent: tuple[float, ...] = (1, 10, 2, -1)) -> SmallCase:
    """Return the numbers of the small case; the cotangents have these entries, repeated."""
    truth = NativeTruth(exercise.library, exercise.forward, exercise.small, exercise.pullback)
    cotangents = [
        np.resize(np.asarray(cotangent, dtype=float), output.shape) if flows else None
        for output, flows in zip(truth.outputs, truth.flows, strict=True)
    ]
    requires = [differentiable(argument) for argument in exercise.small]
    pulled = truth.vjp(requires, cotangents)
    pairs = zip(exercise.parameters, pulled, strict=False)
    gradients = {name: gradient for name, gradient in pairs if gradient is not None}
    arguments: dict[str, object] = dict(zip(exercise.parameters, exercise.small, strict=False))
    return SmallCase(arguments, truth.outputs, cotangents, gradients)


def number(value: float) -> str:
    """Return a number in up to six digits."""
    return f"{round(float(value), 6) + 0.0:.6g}"


def latex(value: object) -> str:
    """Return a number, a vector as a row in brackets, a matrix, or several matrices, as LaTeX."""
    array = np.asarray(value, dtype=float)
    if array.ndim == 0:
        return number(float(array))
    if array.ndim == 1:
        return f"({COMMA.join(number(item) for item in array)})"
    if array.ndim == 2:
        rows = r"\\ ".join(" & ".join(number(item) for item in row) for row in array)
        return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"
    return rf"\left[{COMMA.join(latex(item) for item in array)}\right]"
