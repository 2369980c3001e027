"""Defines elementwise functions that NumPy computes, so that autograd cannot differentiate them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch


def _by_numpy(function: Callable[[Any], Any]) -> Callable[[torch.Tensor], torch.Tensor]:
    def black_box(x: torch.Tensor) -> torch.Tensor:
        # like any code outside PyTorch, x.numpy() refuses a tensor that requires grad
        return torch.from_numpy(np.asarray(function(x.numpy()))).to(x.dtype)

    return black_box


BLACK_BOXES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "tanh": _by_numpy(np.tanh),
    "gaussian": _by_numpy(lambda x: np.exp(-x * x)),
    "cubic": _by_numpy(lambda x: x**3 - 2 * x),
    "chirp": _by_numpy(lambda x: np.sin(x * x + x)),
    "identity": _by_numpy(lambda x: x),  # returns the memory of its argument
    "rational": _by_numpy(lambda x: x / (1 + x * x)),
}
