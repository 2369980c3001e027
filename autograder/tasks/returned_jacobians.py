"""Reads the Jacobians that numerical_jacobian and analytical_jacobian return, in the student's process."""

import numpy as np
import torch

from autograder.tasks.calls import FunctionProbe
from vjpcheck.errors import WrongReturn, kind
from vjpcheck.probe.torch_tensors import as_array


class JacobianProbe(FunctionProbe):
    """Calls a student's function of fn and inputs, and reads the Jacobians that it returns."""

    def read(self, returned: object) -> dict[str, np.ndarray | None]:
        """Return the values of a tuple (or list) of tensors."""
        if not isinstance(returned, (tuple, list)):
            raise WrongReturn(
                f"{self._name} must return a tuple with one Jacobian per input, but returns {kind(returned)}."
            )
        for jacobian in returned:
            if not isinstance(jacobian, (torch.Tensor, np.ndarray)):
                raise WrongReturn(
                    f"{self._name} must return a tuple of tensors, but one of them is {kind(jacobian)}."
                )
        return {
            f"J[{place}]": as_array(j) if isinstance(j, torch.Tensor) else np.array(j)
            for place, j in enumerate(returned)
        }
