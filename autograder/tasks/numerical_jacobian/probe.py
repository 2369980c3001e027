"""Calls a student's numerical_jacobian."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.errors import student_errors
from autograder.protocol import Request
from autograder.tasks.calling import require_callable
from autograder.tasks.functions import FUNCTIONS
from autograder.tasks.returned_jacobians import Jacobians, read, schema
from autograder.tasks.tensors import leaf, moved


class Probe:
    """Holds a student's function; raises CannotRun if it cannot be called."""

    def __init__(self, work: Any, name: str) -> None:
        self._work = require_callable(work, name)
        self._name = name

    def run(self, fn: str, inputs: Sequence[np.ndarray], eps: float, requires_grad: bool) -> Jacobians:
        """Call the student's function with the fn of that name at these inputs."""
        tensors = tuple(leaf(array, requires_grad) for array in inputs)
        answer: Jacobians = {"jacobians": [], "inputs_changed": [], "passes": 0}
        with student_errors(answer, self._name):
            answer["jacobians"] = read(self._work(FUNCTIONS[fn], tensors, eps), self._name)
            answer["inputs_changed"] = moved(tensors, inputs)
        return answer


def run(fn: str, inputs: Sequence[np.ndarray], eps: float, requires_grad: bool = False) -> Request[Jacobians]:
    """Ask for the Jacobians of the fn of that name."""
    return Request("run", (fn, inputs, eps, requires_grad), schema(len(inputs)))
