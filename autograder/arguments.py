"""What a Function is called with, as plain data: it may have to travel to another process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

# a mapping of one entry stands for what is no plain data: see `generator` and `black_box`
Argument = np.ndarray | float | int | str | None | Mapping[str, Any]
Arguments = tuple[Argument, ...]


def differentiable(argument: Argument) -> bool:
    """Return whether an argument can require grad: an array of floats, not of integers."""
    return isinstance(argument, np.ndarray) and argument.dtype.kind == "f"


def generator(seed: int) -> Argument:
    """Return what stands for a new torch.Generator with this seed."""
    return {"generator": seed}


def black_box(name: str) -> Argument:
    """Return what stands for the function of this name in `autograder.function.black_boxes`."""
    return {"function": name}
