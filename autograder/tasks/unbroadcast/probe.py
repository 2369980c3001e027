"""Runs a student's unbroadcast on one gradient."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.tasks.calls import FunctionProbe
from vjpcheck.errors import WrongReturn, kind


class Probe(FunctionProbe):
    """Calls the function with a gradient and a shape."""

    def arguments(
        self, gradient: np.ndarray, shape: Sequence[int], by_columns: bool = False
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return the gradient and the shape; a gradient without axes becomes a NumPy number."""
        array: Any = np.array(gradient, order="F" if by_columns else "C") if gradient.ndim else gradient[()]
        return (array, tuple(shape)), {"gradient": array}

    def read(self, returned: Any) -> dict[str, np.ndarray | None]:
        """Return the values of an array or a number."""
        value = returned
        if not isinstance(returned, (np.ndarray, np.generic, int, float)):
            value = np.asarray(returned) if hasattr(returned, "__array__") else None
        if value is None or np.asarray(value).dtype.kind not in "fiu":
            raise WrongReturn(f"{self._name} must return an array or a number, but returns {kind(returned)}.")
        return {"the result": np.array(value, np.float64)}
