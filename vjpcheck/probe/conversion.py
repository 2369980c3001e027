"""Converts plain arrays to the tensors of a backend, and results of a Function to plain data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from vjpcheck.arguments import Argument
from vjpcheck.ask.answers import Returned
from vjpcheck.errors import WrongReturn, kind
from vjpcheck.probe.backend import Backend

Flags = Sequence[bool]


def as_tensors(backend: Backend, arguments: Sequence[Argument], requires: Flags) -> list[Any]:
    """Return the inputs of apply: new tensors for arrays, which require grad if their flag is set."""
    return [backend.argument(value, flag) for value, flag in zip(arguments, requires, strict=True)]


def as_cotangents(backend: Backend, arrays: Sequence[Argument], requires_grad: bool = False) -> list[Any]:
    """Return a tensor for each array; None, for an unused output, stays None."""
    # an operation of NumPy on a number gives a scalar, not an array
    return [None if a is None else backend.argument(np.asarray(a), requires_grad) for a in arrays]


def spread_tensors(tensors: Sequence[Any], flags: Flags) -> list[Any]:
    """Return one entry per flag: the next tensor if the flag is set, else None."""
    remaining = iter(tensors)
    return [next(remaining) if flag else None for flag in flags]


def spread(backend: Backend, tensors: Sequence[Any], flags: Flags) -> list[np.ndarray | None]:
    """Return one entry per flag as `spread_tensors` does, converted to arrays."""
    return [None if tensor is None else backend.array(tensor) for tensor in spread_tensors(tensors, flags)]


def changed(backend: Backend, values: Sequence[Any], originals: Sequence[Argument]) -> list[int]:
    """Return the positions of tensors whose version or (after a write through .data) values changed."""
    return [
        position
        for position, (value, original) in enumerate(zip(values, originals, strict=True))
        if _changed(backend, value, original)
    ]


def _changed(backend: Backend, value: Any, original: Argument) -> bool:
    if isinstance(value, backend.tensor_class):
        array = backend.array(value)
        # in another dtype than float64 the original is rounded
        return backend.version(value) > 0 or not (
            np.array_equal(array, np.asarray(original))
            or np.array_equal(array, backend.array(backend.argument(original)))
        )
    return isinstance(value, np.ndarray) and not np.array_equal(value, np.asarray(original))


def as_outputs(backend: Backend, returned: Any) -> tuple[Any, ...]:
    """Return the tensors among the results of apply.

    Raises WrongReturn if there is none, or if anything else is among them and the backend takes only tensors.
    """
    outputs = returned if isinstance(returned, tuple) else (returned,)
    tensors = tuple(output for output in outputs if isinstance(output, backend.tensor_class))
    if tensors and not backend.only_tensors:
        return tensors
    for place, output in enumerate(outputs):
        if not isinstance(output, backend.tensor_class):
            if any(isinstance(other, backend.tensor_class) for other in outputs):
                raise WrongReturn(f"forward must return Tensors alone, but output {place} is {kind(output)}.")
            raise WrongReturn(f"forward must return a Tensor, but returns {kind(output)}.")
    return outputs


def used_outputs(outputs: Sequence[Any], cotangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return the outputs that have a cotangent, and their cotangents; further outputs have none."""
    pairs = [(y, c) for y, c in zip(outputs, cotangents, strict=False) if c is not None]
    return [y for y, _ in pairs], [c for _, c in pairs]


def described(backend: Backend, value: Any, argument: Argument) -> Returned:
    """Return the facts about the value that backward returned for an argument."""
    if not isinstance(value, backend.tensor_class):
        return {"type": _type_name(value), "dtype": None, "shape": None, "value": None}
    odd = isinstance(argument, np.ndarray) and argument.shape != value.shape
    return {
        "type": "Tensor",
        "dtype": dtype_name(value),
        "shape": list(value.shape),
        "value": backend.array(value) if odd else None,
    }


def _type_name(value: Any) -> str:
    if type(value).__module__ == "torch" and type(value).__name__ == "Tensor":
        return "torch.Tensor"  # distinguishes it from the engine's Tensor
    return "None" if value is None else str(type(value).__name__)


def dtype_name(tensor: Any) -> str:
    """Return the name of a dtype without the name of the library."""
    return str(tensor.dtype).removeprefix("torch.")


def bits_of(value: Any) -> int:
    """Return the number of bits of a float in a tensor or an array; 0 for other values."""
    match = re.match(r"b?float(\d+)", dtype_name(value)) if hasattr(value, "dtype") else None
    return int(match[1]) if match else 0


def is_floating(tensor: Any) -> bool:
    """Return whether a tensor holds real or complex floats, and so can have a gradient."""
    return dtype_name(tensor).startswith(("float", "bfloat", "complex"))


def holds_tensors(argument: Any, tensor_class: type[Any]) -> bool:
    """Return whether an argument is a list, a tuple or a dict that contains tensors."""
    items = argument.values() if isinstance(argument, dict) else argument
    return isinstance(argument, (list, tuple, dict)) and any(isinstance(t, tensor_class) for t in items)


def zeros_like(backend: Backend, tensor: Any) -> Any:
    """Return a tensor of zeros with the shape and the dtype of another tensor."""
    return backend.argument(np.zeros_like(backend.array(tensor)))
