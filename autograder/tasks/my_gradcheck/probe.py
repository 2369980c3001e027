"""Calls a student's my_gradcheck on Functions that formulas describe."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from autograder.tasks.calls import FunctionProbe
from autograder.tasks.forbidden_functions import GRADCHECK
from autograder.tasks.functions import function_of
from autograder.tasks.tensors import leaf
from vjpcheck.errors import WrongReturn, kind


class Probe(FunctionProbe):
    """Calls my_gradcheck with a Function."""

    forbidden = GRADCHECK

    def arguments(
        self,
        function: Sequence[str],
        inputs: Sequence[np.ndarray],
        tolerances: Sequence[float],
        frozen: Sequence[int],
        by_columns: bool,
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return the Function, its inputs and the tolerances."""
        tensors = tuple(leaf(array, place not in frozen, by_columns) for place, array in enumerate(inputs))
        return (function_of(*function), tensors, *tolerances), {"inputs": tensors}

    def read(self, returned: Any) -> dict[str, np.ndarray | None]:
        """Return the verdict: 1 for True, 0 for False."""
        odd = isinstance(returned, (np.ndarray, np.generic, torch.Tensor))
        value = returned.item() if odd else returned
        if not isinstance(value, bool):
            raise WrongReturn(f"{self._name} must return True or False, but returns {kind(returned)}.")
        return {"my_gradcheck": np.array(float(value))}
