"""Calls a student's my_gradcheck on one Function of the battery."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from autograder.tasks.calls import FunctionProbe
from autograder.tasks.forbidden_functions import GRADCHECK
from autograder.tasks.my_gradcheck.functions import CASES
from autograder.tasks.tensors import leaf
from vjpcheck.errors import WrongReturn, kind


class Probe(FunctionProbe):
    """Calls my_gradcheck with one of the Functions, chosen by its number."""

    forbidden = GRADCHECK

    def arguments(self, case: int, inputs: Sequence[np.ndarray]) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return the Function, its inputs and the tolerances."""
        chosen = CASES[case]
        tensors = tuple(
            leaf(array, p not in chosen.frozen, chosen.by_columns) for p, array in enumerate(inputs)
        )
        return (chosen.fn, tensors, *chosen.tolerances), {"inputs": tensors}

    def read(self, returned: Any) -> dict[str, np.ndarray | None]:
        """Return the verdict: 1 for True, 0 for False."""
        odd = isinstance(returned, (np.ndarray, np.generic, torch.Tensor))
        value = returned.item() if odd else returned
        if not isinstance(value, bool):
            raise WrongReturn(f"{self._name} must return True or False, but returns {kind(returned)}.")
        return {"my_gradcheck": np.array(float(value))}
