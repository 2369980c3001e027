"""What a Function is called with, as plain data: it may have to travel to another process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

# a mapping of one entry stands for what is no plain data: see `generator`, `black_box` and `sequence`
Argument = np.ndarray | float | int | str | None | Mapping[str, Any]
Arguments = tuple[Argument, ...]
Inputs = Sequence[Argument]  # what a probe is handed
# "torch", or the name of a package with a module `backend` that has a BACKEND, and one `gradcheck`
Library = str


class Constant(np.ndarray):
    """An array of floats that has no gradient, since its owner has not asked for one."""


def differentiable(argument: Argument) -> bool:
    """Return whether an argument can require grad: an array of floats that is no constant."""
    return floating(argument) and not isinstance(argument, Constant)


def floating(argument: Argument) -> bool:
    """Return whether an argument is an array of floats, not of integers."""
    return isinstance(argument, np.ndarray) and argument.dtype.kind == "f"


def sequence(kind: str, items: list[Argument]) -> Argument:
    """Return what stands for a "tuple" or a "list" of plain items."""
    return {kind: items}


def generator(seed: int) -> Argument:
    """Return what stands for a new torch.Generator with this seed."""
    return {"generator": seed}


def black_box(name: str) -> Argument:
    """Return what stands for the function of this name in `vjpcheck.probe.black_boxes`."""
    return {"function": name}
