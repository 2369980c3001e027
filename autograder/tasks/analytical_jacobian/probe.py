"""Calls a student's analytical_jacobian and counts the backward passes that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch.autograd import Function

from autograder.tasks.calling import Answered
from autograder.tasks.functions import FUNCTIONS
from autograder.tasks.handed_over import GRADCHECK, JACOBIANS
from autograder.tasks.returned_jacobians import JacobianProbe
from autograder.tasks.tensors import leaf


class _Counted(Function):
    """The identity; its backward calls `count`."""

    generate_vmap_rule = True  # so that what fails under vmap is the Function that is asked about

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
    """Calls the function with the fn of a name, and counts the backward passes through it."""

    ready = GRADCHECK | JACOBIANS

    def arguments(
        self, fn: str, inputs: Sequence[np.ndarray], by_columns: bool = False
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return fn and the inputs, which require grad."""
        tensors = tuple(leaf(array, by_columns=by_columns) for array in inputs)

        def counted(*arguments: torch.Tensor) -> torch.Tensor:
            output: torch.Tensor = _Counted.apply(FUNCTIONS[fn](*arguments), self._count)
            return output

        return (counted, tensors), {"inputs": tensors}

    @contextmanager
    def watching(self, answer: Answered) -> Iterator[None]:
        """Note what the call hands over, and how many backward passes it runs."""
        self._passes = 0
        with super().watching(answer):
            yield
        answer["facts"]["passes"] = self._passes

    def _count(self) -> None:
        self._passes += 1
