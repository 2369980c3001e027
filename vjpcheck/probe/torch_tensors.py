"""Converts plain arrays to PyTorch's tensors, and tensors to plain arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import torch

from vjpcheck.arguments import Argument
from vjpcheck.ask.answers import Layout
from vjpcheck.probe.black_boxes import BLACK_BOXES
from vjpcheck.torch_internals import as_plain_tensors

Flags = Sequence[bool]

_OF_NUMPY = {torch.float64, torch.float32, torch.float16, torch.complex128, torch.complex64, torch.bool}
_OF_NUMPY |= {torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8}


_SEQUENCES: dict[str, Any] = {"tuple": tuple, "list": list}


def as_tensors(arguments: Sequence[Argument], requires: Flags) -> list[Any]:
    """Return new tensors for arrays, which require grad if their flag is set."""
    return [as_tensor(argument, flag) for argument, flag in zip(arguments, requires, strict=True)]


def as_tensor(
    argument: Argument, requires_grad: bool = False, objects: Mapping[str, Any] = MappingProxyType({})
) -> Any:
    """Return a tensor for an array, the object that a mapping describes, or the argument itself.

    `objects` has the constants of any type, by the names in the mappings.
    """
    if isinstance(argument, np.ndarray):
        return fresh(argument, requires_grad)
    if isinstance(argument, Mapping):
        ((kind, value),) = argument.items()
        if kind == "object":
            return objects[value]
        if kind in _SEQUENCES:
            return _SEQUENCES[kind](map(as_tensor, value))
        return torch.Generator().manual_seed(value) if kind == "generator" else BLACK_BOXES[value]
    return argument


def fresh(array: np.ndarray, requires_grad: bool = False) -> torch.Tensor:
    """Return a tensor with its own memory, in a third of the time of torch.tensor."""
    tensor = torch.from_numpy(np.array(array, order="C")).clone()
    return tensor.requires_grad_() if requires_grad else tensor  # a transform forbids the call


def as_cotangents(arrays: Sequence[Argument], requires_grad: bool = False) -> list[torch.Tensor | None]:
    """Return a tensor for each array; None, for an unused output, stays None."""
    return [None if array is None else fresh(np.asarray(array), requires_grad) for array in arrays]


def laid_out(tensor: torch.Tensor, layout: Layout) -> torch.Tensor:
    """Return a leaf with the values of another and this memory layout.

    "strided" has the strides that transposing and slicing leave: `view` cannot join any two axes. "expanded"
    has the strides that `expand` leaves; it needs equal rows along the first axis.
    """
    if layout == "" or tensor.ndim == 0:
        return tensor
    plain = tensor.detach()
    if layout == "expanded":
        placed = plain[:1].clone().expand(plain.shape)
        if not torch.equal(placed, plain):
            return tensor
    else:
        others = ~plain if plain.dtype == torch.bool else plain + 1
        doubled = torch.stack([others, plain], -1)  # a gap before each entry, the first one included
        turned = [*reversed(range(plain.ndim)), plain.ndim]
        placed = doubled.permute(turned).contiguous().permute(turned)[..., 1]
    return placed.detach().requires_grad_(tensor.requires_grad)


def as_array(tensor: torch.Tensor) -> np.ndarray:
    """Return a copy of the values, even if a subclass of Tensor overrides the methods."""
    with as_plain_tensors():
        if tensor.layout != torch.strided:
            tensor = torch.Tensor.to_dense(tensor)
        if tensor.dtype not in _OF_NUMPY:  # bfloat16 and its like
            tensor = torch.Tensor.double(tensor)
        return np.array(torch.Tensor.numpy(tensor, force=True))
