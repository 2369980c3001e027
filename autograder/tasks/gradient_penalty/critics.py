"""Critics that student code is given, by name: modules from (n, d) to (n,) or (n, 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor, nn

Parameters = Mapping[str, np.ndarray]
Shapes = Mapping[str, tuple[int, ...]]


class _Critic(nn.Module):
    def __init__(self, parameters: Parameters) -> None:
        super().__init__()
        for name, array in parameters.items():
            self.register_parameter(name, nn.Parameter(torch.tensor(array)))


class Network(_Critic):
    """One hidden layer with tanh, and an output of shape (n, 1)."""

    shapes: ClassVar[Shapes] = {"weight": (5, 3), "bias": (5,), "last": (1, 5)}

    def forward(self, x: Tensor) -> Tensor:
        """Return one number a row of x."""
        parameters = dict(self.named_parameters())
        hidden = torch.tanh(x @ parameters["weight"].T + parameters["bias"])
        return hidden @ parameters["last"].T


class Quadratic(_Critic):
    """x·A·x + b·x for each row x, with an output of shape (n,)."""

    shapes: ClassVar[Shapes] = {"matrix": (3, 3), "vector": (3,)}

    def forward(self, x: Tensor) -> Tensor:
        """Return one number a row of x."""
        parameters = dict(self.named_parameters())
        return (x @ parameters["matrix"] * x).sum(1) + x @ parameters["vector"]


CRITICS: dict[str, type[Network] | type[Quadratic]] = {"network": Network, "quadratic": Quadratic}
