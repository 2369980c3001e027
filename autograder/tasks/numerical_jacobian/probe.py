"""Calls a student's numerical_jacobian."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.tasks.calling import Earlier, called, require_callable
from autograder.tasks.functions import FUNCTIONS
from autograder.tasks.handed_over import GRADCHECK
from autograder.tasks.returned_jacobians import Jacobians, read
from autograder.tasks.tensors import leaf
from autograder.tasks.watching import noticing
from vjpcheck.ask.protocol import Request, schema_of
from vjpcheck.errors import student_errors


class Probe:
    """Holds a student's function; raises CannotRun if it cannot be called."""

    def __init__(self, work: Any, name: str) -> None:
        self._work = require_callable(work, name)
        self._name = name
        self._earlier = Earlier(partial(read, name=name))

    def run(
        self, fn: str, inputs: Sequence[np.ndarray], eps: float, requires_grad: bool, by_columns: bool
    ) -> Jacobians:
        """Call the student's function with the fn of that name at these inputs."""
        tensors = tuple(leaf(array, requires_grad, by_columns) for array in inputs)
        answer: Jacobians = {
            "jacobians": [],
            "changes": {},
            "handed_over": [],
            "passes": 0,
            "overwrites": False,
        }
        returned = None
        with called(answer, self._name, inputs=tensors), noticing(GRADCHECK, answer["handed_over"]):
            returned = self._work(FUNCTIONS[fn], tensors, eps)
        if "error" not in answer:
            with student_errors(answer, self._name):
                answer["jacobians"] = read(returned, self._name)
                answer["overwrites"] = self._earlier.overwritten_by(returned)
        return answer


def run(
    fn: str,
    inputs: Sequence[np.ndarray],
    eps: float,
    requires_grad: bool = False,
    by_columns: bool = False,
) -> Request[Jacobians]:
    """Ask for the Jacobians of the fn of that name."""
    return Request("run", (fn, inputs, eps, requires_grad, by_columns), schema_of(Jacobians))
