"""Calls a student's numerical_jacobian."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.tasks.forbidden_functions import GRADCHECK
from autograder.tasks.functions import function_of
from autograder.tasks.returned_jacobians import JacobianProbe
from autograder.tasks.tensors import leaf


class Probe(JacobianProbe):
    """Calls numerical_jacobian with functions that formulas describe."""

    forbidden = GRADCHECK

    def arguments(
        self,
        formulas: Sequence[str],
        inputs: Sequence[np.ndarray],
        by_columns: bool,
        eps: float = 0.1,
        requires_grad: bool = False,
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return fn, the inputs and eps."""
        tensors = tuple(leaf(array, requires_grad, by_columns) for array in inputs)
        return (function_of(*formulas), tensors, eps), {"inputs": tensors}
