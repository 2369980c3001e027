"""Derivatives by finite differences, to check those that were derived by hand."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from course.engine.core import Tensor, attach, grad, several
from course.engine.recording import no_grad, recording
from course.engine.values import is_floating, settle


class GradcheckError(RuntimeError):
    """What gradcheck raises when the two Jacobians differ."""


def gradcheck(
    function: Callable[..., Any], inputs: Any, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3
) -> bool:
    """Compare a function's gradients with central differences, entry by entry of the Jacobian.

    Inputs are float64 Tensors, one or several, of which those that require a gradient are checked, and
    constants.
    Returns True, or raises GradcheckError with both Jacobians; ValueError where nothing can be checked.
    """
    inputs = several(inputs)
    checked = differentiable(inputs)
    if not checked or any(x.dtype != np.float64 for x in checked):
        raise ValueError("gradcheck needs inputs that require a gradient, all of them float64")
    outputs = several(function(*inputs))
    # Where no output has a graph, none may depend on the inputs: a backward in NumPy loses it unseen.
    lost = not any(y.requires_grad for y in outputs)
    for (i, y), (j, x) in itertools.product(enumerate(outputs), enumerate(checked)):
        if y.requires_grad or (lost and is_floating(y.data)):
            analytical = analytical_jacobian(y, x)
            numerical = numerical_jacobian(lambda i=i: several(function(*inputs))[i], x, eps)  # type: ignore[misc]
            both = f"by finite differences:\n{numerical}\nby backward:\n{analytical}"
            if not np.allclose(analytical, numerical, rtol, atol):
                raise GradcheckError(f"the Jacobian of output {i} with respect to input {j} differs.\n{both}")
    return True


def gradgradcheck(function: Callable[..., Any], inputs: Any, **options: Any) -> bool:
    """Check second derivatives: gradcheck of the function's vector-Jacobian product, with its options."""
    inputs = several(inputs)
    checked, outputs = differentiable(inputs), differentiable(several(function(*inputs)))
    random = np.random.default_rng(0).uniform
    cotangents = [Tensor(random(0.5, 1.5, y.shape)[()], requires_grad=True) for y in outputs]

    def first_derivative(*arguments: Any) -> Any:
        with recording(True):  # also for finite differences: without a graph there is no first derivative
            ys = differentiable(several(function(*arguments[: len(inputs)])))
        wanted = grad(ys, checked, arguments[len(inputs) :], create_graph=True, allow_unused=True)
        return tuple(g for g in wanted if g is not None)

    return gradcheck(first_derivative, (*inputs, *cotangents), **options)


def differentiable(things: tuple[Any, ...]) -> list[Tensor]:
    """Return the Tensors that require a gradient."""
    return [x for x in things if isinstance(x, Tensor) and x.requires_grad]


def analytical_jacobian(y: Tensor, x: Tensor) -> Any:
    """Return dy/dx with a row for each entry of y: one backward pass for each, none where y has no graph."""
    rows = np.zeros((y.size, x.size))
    for row, one in zip(rows, np.eye(y.size, dtype=y.dtype) if y.requires_grad else (), strict=False):
        (gradient,) = grad(y, x, attach(settle(one.reshape(y.shape))), retain_graph=True, allow_unused=True)
        row[:] = 0 if gradient is None else np.ravel(gradient.data)
    return rows


def numerical_jacobian(function: Callable[[], Tensor], x: Tensor, eps: float) -> Any:
    """Return dy/dx with a column for each entry of x, by central differences: the error is of order eps²."""
    original = x.data

    def at(i: int, step: float) -> Any:
        moved = np.array(original)
        moved.flat[i] += step
        x.data = settle(moved)
        return np.ravel(function().data)

    try:
        with no_grad():
            columns = [(at(i, eps) - at(i, -eps)) / (2 * eps) for i in range(x.size)]
    finally:
        x.data = original
    return np.stack(columns, axis=1)
