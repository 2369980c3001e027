"""The calls that are made on a LoggingTensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

# of a LoggingTensor x and a plain tensor t
CALLS: dict[str, Callable[[Any, Tensor], Any]] = {
    "torch.add(x, x)": lambda x, t: torch.add(x, x),
    "torch.exp(x)": lambda x, t: torch.exp(x),
    "x.sin()": lambda x, t: x.sin(),
    "x.sin() twice": lambda x, t: (x.sin(), x.sin())[1],
    "x * x": lambda x, t: x * x,
    "torch.add(x, t)": lambda x, t: torch.add(x, t),
    "torch.mul(t, x)": lambda x, t: torch.mul(t, x),
    "torch.sum(x, dim=0)": lambda x, t: torch.sum(x, dim=0),
    "torch.add(x, t, alpha=2)": lambda x, t: torch.add(x, t, alpha=2),
    "torch.cat([t, x])": lambda x, t: torch.cat([t, x]),
    "torch.split(x, 1)[0]": lambda x, t: torch.split(x, 1)[0],
    "torch.exp(x).sin().sum()": lambda x, t: torch.exp(x).sin().sum(),
}
