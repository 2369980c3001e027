"""Calls a student's numerical_jacobian."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.tasks.functions import FUNCTIONS
from autograder.tasks.handed_over import GRADCHECK
from autograder.tasks.returned_jacobians import JacobianProbe, Jacobians
from autograder.tasks.tensors import leaf
from vjpcheck.ask.protocol import Request, schema_of


class Probe(JacobianProbe):
    """Calls a student's function."""

    def run(
        self, fn: str, inputs: Sequence[np.ndarray], by_columns: bool, eps: float, requires_grad: bool
    ) -> Jacobians:
        """Call the student's function with the fn of that name at these inputs."""
        tensors = tuple(leaf(array, requires_grad, by_columns) for array in inputs)
        return self.asked(GRADCHECK, FUNCTIONS[fn], tensors, eps)


def run(
    fn: str, inputs: Sequence[np.ndarray], by_columns: bool, eps: float = 0.1, requires_grad: bool = False
) -> Request[Jacobians]:
    """Ask for the Jacobians of the fn of that name."""
    return Request("run", (fn, inputs, by_columns, eps, requires_grad), schema_of(Jacobians))
