"""Calls a student's analytical_jacobian and counts the backward passes that it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch.autograd import Function

from autograder.tasks.functions import FUNCTIONS
from autograder.tasks.handed_over import GRADCHECK, JACOBIANS
from autograder.tasks.returned_jacobians import JacobianProbe, Jacobians
from autograder.tasks.tensors import leaf
from vjpcheck.ask.protocol import Request, schema_of

READY = GRADCHECK | JACOBIANS


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
    """Calls a student's function."""

    def run(self, fn: str, inputs: Sequence[np.ndarray], by_columns: bool) -> Jacobians:
        """Call the student's function with the fn of that name at inputs that require grad."""
        tensors = tuple(leaf(array, by_columns=by_columns) for array in inputs)
        passes: list[None] = []

        def counted(*arguments: torch.Tensor) -> torch.Tensor:
            output: torch.Tensor = _Counted.apply(FUNCTIONS[fn](*arguments), lambda: passes.append(None))
            return output

        with torch.enable_grad():
            answer = self.asked(READY, counted, tensors)
        answer["passes"] = len(passes)
        return answer


def run(fn: str, inputs: Sequence[np.ndarray], by_columns: bool = False) -> Request[Jacobians]:
    """Ask for the Jacobians of the fn of that name, at inputs laid out by rows or by columns."""
    return Request("run", (fn, inputs, by_columns), schema_of(Jacobians))
