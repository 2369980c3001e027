"""Calls a student's analytical_jacobian and counts the backward passes that it takes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch.autograd import Function

from autograder.tasks.calls import Answer
from autograder.tasks.forbidden_functions import GRADCHECK, JACOBIANS
from autograder.tasks.functions import function_of
from autograder.tasks.returned_jacobians import JacobianProbe
from autograder.tasks.tensors import leaf


class _Counter(Function):
    """The identity; its backward calls `count`."""

    generate_vmap_rule = True  # a failure under vmap is then the tried Function's

    @staticmethod
    def forward(tensor: torch.Tensor, count: Callable[[], None]) -> torch.Tensor:
        return tensor.view_as(tensor)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
        ctx.count = inputs[1]

    @staticmethod
    def backward(ctx: Any, grad_output: torch.Tensor) -> tuple[torch.Tensor, None]:
        ctx.count()
        return grad_output, None


class Probe(JacobianProbe):
    """Calls analytical_jacobian with functions that formulas describe, and counts backward passes."""

    forbidden = GRADCHECK | JACOBIANS

    def arguments(
        self, formulas: Sequence[str], inputs: Sequence[np.ndarray], by_columns: bool = False
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return fn and the inputs, which require grad."""
        tensors = tuple(leaf(array, by_columns=by_columns) for array in inputs)
        fn = function_of(*formulas)

        def counted(*arguments: torch.Tensor) -> torch.Tensor:
            output: torch.Tensor = _Counter.apply(fn(*arguments), self._count)
            return output

        return (counted, tensors), {"inputs": tensors}

    @contextmanager
    def watching(self, answer: Answer) -> Iterator[None]:
        """Record forbidden functions, and the number of backward passes."""
        self._passes = 0
        with super().watching(answer):
            yield
        answer["facts"]["passes"] = self._passes

    def _count(self) -> None:
        self._passes += 1
