"""Converts the inputs of `diagnose` to plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vjpcheck.arguments import Argument, Arguments, Constant, differentiable, sequence
from vjpcheck.result import CannotRun

SUPPORTED = "inputs may be tensors, numbers, strings, booleans and None, and tuples or lists without tensors"


def as_arguments(inputs: Sequence[Any]) -> Arguments:
    """Return inputs as plain data: a tensor becomes an array, of float64 if it holds floats.

    If some tensors require grad, the others are constants; so are tensors without entries. The inputs are not
    changed. Raises CannotRun for unsupported inputs, and if no input is differentiable.
    """
    arguments = tuple(_plain(value, f"Input {number}") for number, value in enumerate(inputs))
    flags = [_is_tensor(value) and value.requires_grad for value in inputs]
    arguments = tuple(
        argument.view(Constant)
        if isinstance(argument, np.ndarray) and (not argument.size or (any(flags) and not flag))
        else argument
        for flag, argument in zip(flags, arguments, strict=True)
    )
    if not any(differentiable(argument) and np.size(argument) for argument in arguments):  # type: ignore[arg-type]
        raise CannotRun("No input is a tensor of floats, so there is no gradient to check.")
    return arguments


def _plain(value: Any, place: str) -> Argument:
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return value.item()  # type: ignore[no-any-return]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if _is_size(value):
        message = f"{place} is a torch.Size, which would arrive as a plain tuple"
        raise CannotRun(f"{message}: pass tuple(...) of it, and let forward take that.")
    if isinstance(value, (tuple, list)):
        return _sequence(value, place)
    if _is_tensor(value):
        return _array(value, place)
    raise CannotRun(f"{place} is {_kind(value)}; {SUPPORTED}.")


def _sequence(value: Sequence[Any], place: str) -> Argument:
    if any(_is_tensor(item) for item in value):
        message = f"{place} is a {type(value).__name__} of tensors, and autograd sends no gradient to them"
        raise CannotRun(f"{message}: pass each tensor as a separate input.")
    kind = "tuple" if isinstance(value, tuple) else "list"
    return sequence(kind, [_plain(item, f"An item of {place[0].lower()}{place[1:]}") for item in value])


def _array(tensor: Any, place: str) -> np.ndarray:
    import torch

    if tensor.is_complex():
        raise CannotRun(f"{place} is complex, but only real derivatives can be checked.")
    if tensor.layout is not torch.strided or tensor.is_quantized or tensor.is_meta:
        raise CannotRun(f"{place} is not a dense tensor with values; other tensors are not supported.")
    plain = tensor.detach().cpu()
    return np.array((plain.double() if plain.is_floating_point() else plain).numpy())


def _is_tensor(value: Any) -> bool:
    import torch

    return isinstance(value, torch.Tensor)


def _is_size(value: Any) -> bool:
    import torch

    return isinstance(value, torch.Size)


def _kind(value: Any) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if callable(value):
        return f"a function ({getattr(value, '__name__', type(value).__name__)})"
    return f"of type {type(value).__name__}"
