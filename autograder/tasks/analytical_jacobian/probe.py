"""Calls a student's analytical_jacobian and counts the backward passes that it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch.autograd import Function

from autograder.errors import student_errors
from autograder.protocol import Request
from autograder.tasks.calling import require_callable
from autograder.tasks.functions import FUNCTIONS
from autograder.tasks.returned_jacobians import Jacobians, read, schema
from autograder.tasks.tensors import leaf, moved


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


class Probe:
    """Holds a student's function; raises CannotRun if it cannot be called."""

    def __init__(self, work: Any, name: str) -> None:
        self._work = require_callable(work, name)
        self._name = name

    def run(self, fn: str, inputs: Sequence[np.ndarray]) -> Jacobians:
        """Call the student's function with the fn of that name at inputs that require grad."""
        tensors = tuple(leaf(array) for array in inputs)
        answer: Jacobians = {"jacobians": [], "inputs_changed": [], "passes": 0}

        def count() -> None:
            answer["passes"] += 1

        def counted(*arguments: torch.Tensor) -> torch.Tensor:
            output: torch.Tensor = _Counted.apply(FUNCTIONS[fn](*arguments), count)
            return output

        with student_errors(answer, self._name), torch.enable_grad():
            answer["jacobians"] = read(self._work(counted, tensors), self._name)
            answer["inputs_changed"] = moved(tensors, inputs)
        return answer


def run(fn: str, inputs: Sequence[np.ndarray]) -> Request[Jacobians]:
    """Ask for the Jacobians of the fn of that name."""
    return Request("run", (fn, inputs), schema(len(inputs)))
