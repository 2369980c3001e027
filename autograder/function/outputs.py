"""What a student's Function gives back, made ready for an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from autograder.errors import WrongReturn
from autograder.function.answers import Returned
from autograder.function.arguments import Argument
from autograder.function.tensors import as_array


def generator_states(given: Sequence[Any]) -> list[bytes]:
    """Return the state of each random generator among the arguments."""
    return [bytes(value.get_state().tolist()) for value in given if isinstance(value, torch.Generator)]


def as_outputs(returned: Any) -> tuple[torch.Tensor, ...]:
    """Return what apply gave as a tuple; raises WrongReturn if anything in it is no tensor."""
    outputs = returned if isinstance(returned, tuple) else (returned,)
    for output in outputs:
        if not isinstance(output, torch.Tensor):
            raise WrongReturn(f"forward must return a Tensor, and returns {_a(output)}.")
    return outputs


def used_outputs(
    outputs: Sequence[torch.Tensor], cotangents: Sequence[torch.Tensor | None]
) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Return the outputs that have a cotangent, and these; further outputs have none."""
    pairs = [(y, c) for y, c in zip(outputs, cotangents, strict=False) if c is not None]
    return [y for y, _ in pairs], [c for _, c in pairs]


def _type(value: Any) -> str:
    return "None" if value is None else str(type(value).__name__)


def _a(value: Any) -> str:
    return "None" if value is None else f"a {_type(value)}"


def described(value: Any, argument: Argument) -> Returned:
    """Return the facts about what backward returned for an argument."""
    if not isinstance(value, torch.Tensor):
        return {"type": _type(value), "dtype": None, "shape": None, "value": None}
    odd = isinstance(argument, np.ndarray) and argument.shape != value.shape
    return {
        "type": "Tensor",
        "dtype": dtype_name(value),
        "shape": list(value.shape),
        "value": as_array(value) if odd else None,
    }


def dtype_name(tensor: torch.Tensor) -> str:
    """Return the dtype without the name of the library."""
    return str(tensor.dtype).removeprefix("torch.")
