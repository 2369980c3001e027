"""Defines the arguments of a Function as plain data, which can travel to another process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

# a mapping of one entry stands for another object: see `generator`, `constant`, `black_box` and `sequence`
Argument = np.ndarray | float | int | str | None | Mapping[str, Any]
Arguments = tuple[Argument, ...]
Inputs = Sequence[Argument]  # of one call, in the order of apply
# "torch", or the name of a package with the modules `backend`, which has a BACKEND, and `gradcheck`
Library = str


class Constant(np.ndarray):
    """An array of floats whose gradient is not checked, because its tensor does not require grad."""


def differentiable(argument: Argument) -> bool:
    """Return whether an argument can require grad: an array of floats that is not a constant."""
    return floating(argument) and not isinstance(argument, Constant)


def floating(argument: Argument) -> bool:
    """Return whether an argument is an array of floats, not of integers."""
    return isinstance(argument, np.ndarray) and argument.dtype.kind == "f"


def sequence(kind: str, items: list[Argument]) -> Argument:
    """Return the plain data for a "tuple" or a "list" of plain items."""
    return {kind: items}


def generator(seed: int) -> Argument:
    """Return the plain data for a new torch.Generator with this seed."""
    return {"generator": seed}


def constant(name: str) -> Argument:
    """Return the plain data for an object of any type that the probe knows by this name."""
    return {"object": name}


def black_box(name: str) -> Argument:
    """Return the plain data for the function of this name in `vjpcheck.probe.black_boxes`."""
    return {"function": name}
