"""Critics for student code, by name: modules from (n, d) to (n,) or (n, 1)."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from autograder.tasks.tensors import with_earlier_gradient

Parameters = Mapping[str, np.ndarray]
STEEP = 1e5


class Kind(NamedTuple):
    """A formula of x and the parameters, and the shapes of these.

    `columns` are those of x, `frozen` is a parameter that is not trained, and `hooked` a critic whose forward
    hook doubles the output: a call of `critic.forward` does not run it.
    """

    formula: Callable[[Tensor, Mapping[str, Tensor]], Tensor]
    shapes: Mapping[str, tuple[int, ...]]
    columns: int = 3
    frozen: str = ""
    hooked: bool = False

    def __call__(self, parameters: Parameters) -> "Critic":
        """Return a critic with these parameters."""
        return Critic(self, parameters)


class Critic(nn.Module):
    """A critic of one kind, some of whose parameters have a `.grad` already."""

    def __init__(self, kind: Kind, parameters: Parameters) -> None:
        super().__init__()
        self._formula = kind.formula
        for name, array in parameters.items():
            self.register_parameter(name, nn.Parameter(torch.tensor(array)))
        for name, parameter in self.named_parameters():
            with_earlier_gradient(parameter).requires_grad_(name != kind.frozen)
        if kind.hooked:
            self.register_forward_hook(lambda module, inputs, output: 2 * output)

    def forward(self, x: Tensor) -> Tensor:
        """Return one number a row of x."""
        return self._formula(x, dict(self.named_parameters()))


def trained(critic: nn.Module) -> dict[str, nn.Parameter]:
    """Return the parameters that require grad, by name."""
    return {name: parameter for name, parameter in critic.named_parameters() if parameter.requires_grad}


_QUADRATIC = Kind(
    lambda x, p: (x @ p["matrix"] * x).sum(1) + x @ p["vector"], {"matrix": (3, 3), "vector": (3,)}
)
CRITICS = {
    "θ(3 x1 + 4 x2)": Kind(lambda x, p: p["theta"] * (3 * x[:, 0] + 4 * x[:, 1]), {"theta": ()}),
    "network": Kind(
        lambda x, p: torch.tanh(x @ p["weight"].T + p["bias"]) @ p["last"].T,
        {"weight": (5, 3), "bias": (5,), "last": (1, 5)},
    ),
    "quadratic": _QUADRATIC,
    # a slow and a fast term, each with a slope of size 1: no finite step suits both
    "x**3 and sin(100000 x) / 100000": Kind(
        lambda x, p: (x**3) @ p["slow"] + torch.sin(STEEP * x) @ p["fast"] / STEEP,
        {"slow": (3,), "fast": (3,)},
    ),
    "quadratic with a frozen vector": _QUADRATIC._replace(frozen="vector"),
    "quadratic of one number": _QUADRATIC._replace(shapes={"matrix": (1, 1), "vector": (1,)}, columns=1),
    "quadratic with a forward hook": _QUADRATIC._replace(hooked=True),
}
