"""Jacobians as numerical_jacobian and analytical_jacobian return them, read beside the student's code."""

from collections.abc import Sequence
from functools import partial
from types import CodeType
from typing import Any, NotRequired, TypedDict

import numpy as np
import torch

from autograder.tasks.calling import Caller, Earlier, called
from autograder.tasks.watching import noticing
from vjpcheck.ask.answers import blank
from vjpcheck.errors import StudentError, WrongReturn, kind
from vjpcheck.probe.callers_world import Changes
from vjpcheck.probe.torch_tensors import as_array


class Jacobians(TypedDict):
    """What was returned, one array an input; what the call has changed; what it has handed over to PyTorch.

    `passes` counts the backward passes; `overwrites` says whether the result of an earlier call has changed.
    """

    jacobians: list[np.ndarray]
    changes: Changes
    handed_over: list[str]
    passes: int
    overwrites: bool
    error: NotRequired[StudentError]


class JacobianProbe(Caller):
    """Calls a student's function of fn and inputs."""

    def __init__(self, work: Any, name: str) -> None:
        super().__init__(work, name)
        self._earlier = Earlier(partial(_read, name=name))

    def asked(
        self, ready: dict[CodeType, str], fn: Any, inputs: Sequence[torch.Tensor], *besides: Any
    ) -> Jacobians:
        """Call the function; of what PyTorch has `ready`, note what that calls."""
        answer = blank(Jacobians)
        with called(answer, self._name, inputs=inputs):
            with noticing(ready, answer["handed_over"]):
                returned = self._work(fn, inputs, *besides)
            answer["jacobians"] = _read(returned, self._name)
            answer["overwrites"] = self._earlier.overwritten_by(returned)
        return answer


def _read(returned: Any, name: str) -> list[np.ndarray]:
    """Return the values of a tuple (or list) of tensors; raises WrongReturn for anything else."""
    if not isinstance(returned, (tuple, list)):
        raise WrongReturn(
            f"{name} must return a tuple with one Jacobian per input, but returns {kind(returned)}."
        )
    for jacobian in returned:
        if not isinstance(jacobian, (torch.Tensor, np.ndarray)):
            raise WrongReturn(f"{name} must return a tuple of tensors, but one of them is {kind(jacobian)}.")
    return [as_array(j) if isinstance(j, torch.Tensor) else np.array(j) for j in returned]
