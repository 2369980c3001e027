"""Jacobians as numerical_jacobian and analytical_jacobian return them, read beside the student's code."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

import numpy as np
import torch

from autograder.errors import StudentError, WrongReturn
from autograder.function.torch_tensors import as_array
from autograder.protocol import ListOf, Schema, Whole, schema_of
from autograder.tasks.calling import kind


class Jacobians(TypedDict):
    """What was returned, one array an input; which inputs have other values now; the backward passes."""

    jacobians: list[np.ndarray]
    inputs_changed: list[int]
    passes: int
    error: NotRequired[StudentError]


def schema(inputs: int) -> Schema:
    """Return the schema of what is said of a function of so many inputs."""
    return schema_of(Jacobians, inputs_changed=ListOf(Whole(inputs)))


def read(returned: Any, name: str) -> list[np.ndarray]:
    """Return the values of a tuple (or list) of tensors; raises WrongReturn for anything else."""
    if not isinstance(returned, (tuple, list)):
        raise WrongReturn(f"{name} must return a tuple with one J an input, and returns {kind(returned)}.")
    for jacobian in returned:
        if not isinstance(jacobian, (torch.Tensor, np.ndarray)):
            raise WrongReturn(f"{name} must return a tuple of tensors, and one of them is {kind(jacobian)}.")
    return [as_array(j) if isinstance(j, torch.Tensor) else np.array(j) for j in returned]
