"""Calls a student's analytical_jacobian and counts the backward passes that it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch.autograd import Function

from autograder.tasks.calling import Earlier, called, require_callable
from autograder.tasks.functions import FUNCTIONS
from autograder.tasks.handed_over import GRADCHECK, JACOBIANS
from autograder.tasks.returned_jacobians import Jacobians, read
from autograder.tasks.tensors import leaf
from autograder.tasks.watching import noticing
from vjpcheck.ask.protocol import Request, schema_of
from vjpcheck.errors import student_errors

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


class Probe:
    """Holds a student's function; raises CannotRun if it cannot be called."""

    def __init__(self, work: Any, name: str) -> None:
        self._work = require_callable(work, name)
        self._name = name
        self._earlier = Earlier(partial(read, name=name))

    def run(self, fn: str, inputs: Sequence[np.ndarray], by_columns: bool) -> Jacobians:
        """Call the student's function with the fn of that name at inputs that require grad."""
        tensors = tuple(leaf(array, by_columns=by_columns) for array in inputs)
        answer: Jacobians = {
            "jacobians": [],
            "changes": {},
            "handed_over": [],
            "passes": 0,
            "overwrites": False,
        }
        returned = None

        def count() -> None:
            answer["passes"] += 1

        def counted(*arguments: torch.Tensor) -> torch.Tensor:
            output: torch.Tensor = _Counted.apply(FUNCTIONS[fn](*arguments), count)
            return output

        with (
            torch.enable_grad(),
            called(answer, self._name, inputs=tensors),
            noticing(READY, answer["handed_over"]),
        ):
            returned = self._work(counted, tensors)
        if "error" not in answer:
            with student_errors(answer, self._name):
                answer["jacobians"] = read(returned, self._name)
                answer["overwrites"] = self._earlier.overwritten_by(returned)
        return answer


def run(fn: str, inputs: Sequence[np.ndarray], by_columns: bool = False) -> Request[Jacobians]:
    """Ask for the Jacobians of the fn of that name, at inputs laid out by rows or by columns."""
    return Request("run", (fn, inputs, by_columns), schema_of(Jacobians))
