"""The torch calls that LoggingTensor has to log, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor


@dataclass(frozen=True)
class Call:
    """A call on a LoggingTensor x and a plain tensor t; its log names `name`."""

    name: str
    call: Callable[[Any, Tensor], Any]


CALLS: dict[str, Call] = {
    "torch.add(x, x)": Call("add", lambda x, t: torch.add(x, x)),
    "torch.exp(x)": Call("exp", lambda x, t: torch.exp(x)),
    "x.sin()": Call("sin", lambda x, t: x.sin()),
    "x * x": Call("mul", lambda x, t: x * x),
    "torch.add(x, t)": Call("add", lambda x, t: torch.add(x, t)),
    "torch.mul(t, x)": Call("mul", lambda x, t: torch.mul(t, x)),
    "torch.sum(x, dim=0)": Call("sum", lambda x, t: torch.sum(x, dim=0)),
    "torch.add(x, t, alpha=2)": Call("add", lambda x, t: torch.add(x, t, alpha=2)),
    "torch.cat([t, x])": Call("cat", lambda x, t: torch.cat([t, x])),
    "torch.split(x, 1)[0]": Call("split", lambda x, t: torch.split(x, 1)[0]),
    "torch.exp(x).sin().sum()": Call("exp sin sum", lambda x, t: torch.exp(x).sin().sum()),
}
