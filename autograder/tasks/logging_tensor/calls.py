"""The calls of torch on a LoggingTensor, by name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import torch
from torch import Tensor


def _sin_after_an_error(x: Any, t: Tensor, both: list[Any]) -> Any:
    with suppress(RuntimeError):
        torch.add(x, torch.zeros(7))  # the shapes do not fit
    return x.sin()


# of a LoggingTensor x, a plain tensor t and the list [t, x]
CALLS: dict[str, Callable[[Any, Tensor, list[Any]], Any]] = {
    "torch.add(x, x)": lambda x, t, both: torch.add(x, x),
    "torch.exp(x)": lambda x, t, both: torch.exp(x),
    "x.sin()": lambda x, t, both: x.sin(),
    "x.sin() twice": lambda x, t, both: (x.sin(), x.sin())[1],
    "x * x": lambda x, t, both: x * x,
    "torch.add(x, t)": lambda x, t, both: torch.add(x, t),
    "torch.mul(t, x)": lambda x, t, both: torch.mul(t, x),
    "torch.sum(x, dim=0)": lambda x, t, both: torch.sum(x, dim=0),
    "torch.add(x, t, alpha=2)": lambda x, t, both: torch.add(x, t, alpha=2),
    "torch.mul(t, other=x)": lambda x, t, both: torch.mul(t, other=x),
    "torch.cat([t, x])": lambda x, t, both: torch.cat(both),
    "torch.cat(tensors=[t, x])": lambda x, t, both: torch.cat(tensors=both),
    "torch.split(x, 1)[0]": lambda x, t, both: torch.split(x, 1)[0],
    "torch.max(x, dim=0).values": lambda x, t, both: torch.max(x, dim=0).values,
    "torch.max(x, dim=0).indices": lambda x, t, both: torch.max(x, dim=0).indices,
    "x.sin() after a call that failed": _sin_after_an_error,
    "torch.exp(x).sin().sum()": lambda x, t, both: torch.exp(x).sin().sum(),
}
