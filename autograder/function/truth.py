"""The truth about a Function exercise: autograd on its forward in native PyTorch, in float64."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from autograder.function.exercise import Argument, FunctionExercise

Flags = Sequence[bool]


class Truth:
    """Outputs, vector-Jacobian products, Jacobians and second derivatives at one sample."""

    def __init__(self, exercise: FunctionExercise, arguments: Sequence[Argument]) -> None:
        self._arguments = [torch.tensor(a) if isinstance(a, np.ndarray) else a for a in arguments]
        self._forward = exercise.forward
        self.outputs = [output.numpy(force=True) for output in self._run(self._arguments)]

    def _run(self, arguments: Sequence[object]) -> tuple[torch.Tensor, ...]:
        outputs = self._forward(*arguments)
        return outputs if isinstance(outputs, tuple) else (outputs,)

    def _leaves(self, requires: Flags) -> tuple[list[object], list[torch.Tensor]]:
        arguments: list[object] = list(self._arguments)
        leaves = []
        for position, flag in enumerate(requires):
            tensor = arguments[position]
            if flag and isinstance(tensor, torch.Tensor):
                arguments[position] = leaf = tensor.clone().requires_grad_()
                leaves.append(leaf)
        return arguments, leaves

    def vjp(self, requires: Flags, cotangents: Sequence[np.ndarray]) -> list[np.ndarray | None]:
        """Return the gradient for every argument marked in `requires`, None for the others."""
        arguments, leaves = self._leaves(requires)
        found = torch.autograd.grad(
            self._run(arguments), leaves, [torch.tensor(c) for c in cotangents], materialize_grads=True
        )
        return _spread(found, requires)

    def second_vjp(
        self, requires: Flags, cotangents: Sequence[np.ndarray], seconds: Sequence[np.ndarray | None]
    ) -> tuple[list[np.ndarray | None], list[np.ndarray]]:
        """Return the gradient of <vjp, seconds> for the marked arguments, and for the cotangents."""
        arguments, leaves = self._leaves(requires)
        given = [torch.tensor(c, requires_grad=True) for c in cotangents]
        first = torch.autograd.grad(
            self._run(arguments), leaves, given, create_graph=True, materialize_grads=True
        )
        directions = [torch.tensor(second) for second in seconds if second is not None]
        found = torch.autograd.grad(first, [*leaves, *given], directions, materialize_grads=True)
        for_cotangents = [tensor.numpy(force=True) for tensor in found[len(leaves) :]]
        return _spread(found[: len(leaves)], requires), for_cotangents

    def jacobian(self, position: int, output: int = 0) -> np.ndarray:
        """Return d output / d argument as a matrix: a row an output element, a column an input element."""
        requires = [index == position for index in range(len(self._arguments))]
        rows = []
        for cotangent in basis(self.outputs[output].shape):
            cotangents = [np.zeros_like(value) for value in self.outputs]
            cotangents[output] = cotangent
            gradient = self.vjp(requires, cotangents)[position]
            assert gradient is not None
            rows.append(gradient.ravel())
        return np.array(rows)


def basis(shape: tuple[int, ...]) -> list[np.ndarray]:
    """Return the unit cotangents of a shape, in the order of its elements."""
    size = int(np.prod(shape))
    return [row.reshape(shape) for row in np.eye(size)]


def _spread(found: Sequence[torch.Tensor], requires: Flags) -> list[np.ndarray | None]:
    remaining = iter(found)
    return [next(remaining).numpy(force=True) if flag else None for flag in requires]
