"""Converts the inputs of `diagnose` to plain data, and keeps constants of other types as they are."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import torch

from vjpcheck.arguments import Argument, Arguments, Constant, constant, differentiable, generator, sequence
from vjpcheck.result import CannotRun


def as_arguments(inputs: Sequence[Any]) -> tuple[Arguments, dict[str, Any]]:
    """Return inputs as plain data, and by name the constants that have none.

    A tensor becomes an array, of float64 if it holds floats; a generator becomes its seed. If some tensors
    require grad, the others are constants; so are tensors without entries. The inputs are not changed. Raises
    CannotRun for tensors of unsupported kinds, and if no input is differentiable.
    """
    objects: dict[str, Any] = {}
    arguments = tuple(_plain(value, f"Input {number}", objects) for number, value in enumerate(inputs))
    flags = [isinstance(value, torch.Tensor) and value.requires_grad for value in inputs]
    arguments = tuple(
        argument.view(Constant)
        if isinstance(argument, np.ndarray) and (not argument.size or (any(flags) and not flag))
        else argument
        for flag, argument in zip(flags, arguments, strict=True)
    )
    if not any(isinstance(each, np.ndarray) and differentiable(each) for each in arguments):
        for number, value in enumerate(inputs):
            if any(isinstance(held, torch.Tensor) and held.is_floating_point() for held in _held(value)):
                raise CannotRun(_of_tensors(f"Input {number}", value))
    return arguments, objects


def _of_tensors(place: str, value: Any) -> str:
    message = f"{place} is a {type(value).__name__} of tensors, and autograd sends no gradient to them"
    return f"{message}: pass each tensor as a separate input."


def refuse_without_gradient(arguments: Arguments) -> None:
    """Raise CannotRun if no argument is differentiable."""
    if not any(isinstance(a, np.ndarray) and differentiable(a) and a.size for a in arguments):
        raise CannotRun("No input is a tensor of floats, so there is no gradient to check.")


def _plain(value: Any, place: str, objects: dict[str, Any]) -> Argument:
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return value.item()  # type: ignore[no-any-return]
    if value is None or type(value) in (bool, int, float, str):
        return value  # type: ignore[no-any-return]
    if isinstance(value, torch.Tensor):
        return _array(value, place)
    if isinstance(value, torch.Generator):
        return generator(value.initial_seed())
    for held in _held(value):
        if isinstance(held, torch.Tensor) and held.requires_grad and not isinstance(held, torch.nn.Parameter):
            message = (
                f"{place} is a {type(value).__name__} of tensors, and autograd sends no gradient to them"
            )
            raise CannotRun(f"{message}: pass each tensor as a separate input.")
    if type(value) in (tuple, list) and all(map(_travels, value)):
        return sequence(type(value).__name__, [_plain(item, place, objects) for item in value])
    name = f"{place}, {_kind(value)}"
    objects[name] = value
    return constant(name)


def _travels(value: Any) -> bool:
    """Return whether a value is plain data in lists and tuples."""
    if type(value) in (tuple, list):
        return all(map(_travels, value))
    return value is None or type(value) in (bool, int, float, str)


def _held(value: Any) -> Iterator[Any]:
    """Yield what a container holds, at any depth."""
    if isinstance(value, (tuple, list, set, dict)):
        items: Iterable[Any] = value.values() if isinstance(value, dict) else value
        for item in items:
            yield item
            yield from _held(item)


def _array(tensor: torch.Tensor, place: str) -> np.ndarray:
    if tensor.is_complex():
        raise CannotRun(f"{place} is complex, but only real derivatives can be checked.")
    if tensor.layout is not torch.strided or tensor.is_quantized or tensor.is_meta:
        raise CannotRun(f"{place} is not a dense tensor with values; other tensors are not supported.")
    plain = tensor.detach().cpu()
    return np.array((plain.double() if plain.is_floating_point() else plain).numpy())


def _kind(value: Any) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if inspect.isroutine(value):
        return f"the function {value.__name__}"
    return f"a {type(value).__name__}"
