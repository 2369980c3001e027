"""Whether a Function of the engine is right, decided without the autograder's probe and verdict.

By the engine's own gradcheck on the Function itself, by what its backward returns when it is called by hand,
and by passes that other calls interrupt.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from autograder.exercise import FunctionExercise
from course.engine import Tensor, grad, gradcheck, gradgradcheck
from vjpcheck.arguments import differentiable
from vjpcheck.samples import drawn


def is_right(exercise: FunctionExercise, work: Any) -> bool:
    """Try every sample with every choice of inputs that require grad; whatever raises is not right."""
    generator = np.random.default_rng(99)
    samples, between = drawn(exercise, generator)
    try:
        return all(
            _agrees(exercise, work, arguments, requires)
            for arguments in samples
            for requires in product(*[(True, False) if differentiable(a) else (False,) for a in arguments])
            if any(requires)
        ) and all(
            _stands_alone(work, arguments, [other, *(s for s in samples if s is not arguments)])
            for arguments, other in zip(samples, between, strict=True)
        )
    except Exception:
        return False


def _stands_alone(work: Any, arguments: Any, between: Any) -> bool:
    """Compare the gradient with that of a pass which begins before other calls and ends after them."""
    requires = [differentiable(a) for a in arguments]
    found = []
    for calls in ([], between):
        given = _given(arguments, requires)
        output = work.apply(*given)
        for other in calls:
            work.apply(*_given(other, [differentiable(a) for a in other]))
        leaves = [x for x, flag in zip(given, requires, strict=True) if flag]
        found.append(grad(output, leaves, Tensor(np.ones(output.shape)[()]), allow_unused=True))
    return all(map(_equal, *found))


def _given(arguments: Any, requires: Any) -> list[Any]:
    def made(argument: Any, flag: bool) -> Any:
        if isinstance(argument, np.ndarray):
            return Tensor(argument, requires_grad=flag)
        return np.array(argument) if isinstance(argument, list) else argument

    return [made(argument, flag) for argument, flag in zip(arguments, requires, strict=True)]


def _agrees(exercise: FunctionExercise, work: Any, arguments: Any, requires: Any) -> bool:
    given = _given(arguments, requires)
    leaves = [x for x, flag in zip(given, requires, strict=True) if flag]
    gradcheck(work.apply, given, atol=1e-6)
    output = work.apply(*given)
    cotangent = Tensor(np.linspace(-1, 2, output.size).reshape(output.shape)[()])
    node = output.grad_fn
    if "memory" in exercise.points and any(
        saved is x for saved in node.saved_tensors for x in leaves if saved is not None
    ):
        return False
    if not _to_all_digits(exercise, output, leaves, arguments, requires):
        return False
    before = np.array(cotangent.data)
    one, two = (grad(output, leaves, cotangent, retain_graph=True, allow_unused=True) for _ in range(2))
    if not all(map(_equal, one, two)) or not np.array_equal(before, cotangent.data):
        return False
    returned = node.operation.backward(node.ctx, cotangent)
    for x, flag, gradient in zip(
        given, requires, returned if isinstance(returned, tuple) else (returned,), strict=False
    ):
        if flag and gradient is not None and gradient.shape != x.shape:
            return False
    try:
        gradgradcheck(work.apply, given, atol=1e-6)
    except RuntimeError as error:
        return "once_differentiable" in str(error)
    return True


def _to_all_digits(
    exercise: FunctionExercise, output: Any, leaves: Any, arguments: Any, requires: Any
) -> bool:
    """Compare the gradient with that of the exercise's forward: gradcheck sees five digits only."""
    given = _given(arguments, requires)
    true_leaves = [x for x, flag in zip(given, requires, strict=True) if flag]
    cotangent = Tensor(np.linspace(-0.7, 1.9, output.size).reshape(output.shape)[()])
    found = grad(output, leaves, cotangent, retain_graph=True, allow_unused=True)
    true = grad(exercise.forward(*given), true_leaves, cotangent, allow_unused=True)
    for one, other in zip(found, true, strict=True):
        zeros = [np.zeros(()) if gradient is None else np.asarray(gradient.data) for gradient in (one, other)]
        scale = max(1.0, float(np.abs(zeros[1]).max()))
        if float(np.abs(zeros[0] - zeros[1]).max()) > exercise.tolerance * scale:
            return False
    return True


def _equal(one: Any, two: Any) -> bool:
    if one is None or two is None:
        return one is two
    return np.allclose(one.data, two.data)
