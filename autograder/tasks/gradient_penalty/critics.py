"""Critics for student code, by name: modules from (n, d) to (n,) or (n, 1)."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from autograder.tasks.tensors import with_earlier_gradient

Parameters = Mapping[str, np.ndarray]
Shapes = Mapping[str, tuple[int, ...]]


class _Critic(nn.Module):
    """A module with these parameters, of which some have a `.grad` already."""

    shapes: ClassVar[Shapes]
    columns: ClassVar[int] = 3  # of its input

    def __init__(self, parameters: Parameters) -> None:
        super().__init__()
        for name, array in parameters.items():
            self.register_parameter(name, nn.Parameter(torch.tensor(array)))
        for parameter in self.parameters():
            with_earlier_gradient(parameter)


def trained(critic: nn.Module) -> dict[str, nn.Parameter]:
    """Return the parameters that require grad, by name."""
    return {name: parameter for name, parameter in critic.named_parameters() if parameter.requires_grad}


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


class OfOneNumber(Quadratic):
    """Quadratic for rows of one number."""

    shapes: ClassVar[Shapes] = {"matrix": (1, 1), "vector": (1,)}
    columns: ClassVar[int] = 1


class PartlyFrozen(Quadratic):
    """Quadratic with a vector that is not trained."""

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(parameters)
        self.get_parameter("vector").requires_grad_(False)


class Hooked(Quadratic):
    """Quadratic times two, by a forward hook that a call of `critic.forward` does not run."""

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(parameters)
        self.register_forward_hook(lambda module, inputs, output: 2 * output)


class Slope(_Critic):
    """θ(3 x1 + 4 x2), the critic of the exercise's text."""

    shapes: ClassVar[Shapes] = {"theta": ()}

    def forward(self, x: Tensor) -> Tensor:
        """Return one number a row of x."""
        return dict(self.named_parameters())["theta"] * (3 * x[:, 0] + 4 * x[:, 1])


class Steep(_Critic):
    """A sum of a slow and a fast term, each with a slope of size 1: no finite step suits both."""

    shapes: ClassVar[Shapes] = {"slow": (3,), "fast": (3,)}

    def forward(self, x: Tensor) -> Tensor:
        """Return one number a row of x."""
        parameters = dict(self.named_parameters())
        return (x**3) @ parameters["slow"] + torch.sin(STEEP * x) @ parameters["fast"] / STEEP


STEEP = 1e5
CRITICS: dict[str, type[_Critic]] = {"θ(3 x1 + 4 x2)": Slope, "network": Network, "quadratic": Quadratic}
CRITICS |= {"x**3 and sin(100000 x) / 100000": Steep, "quadratic with a frozen vector": PartlyFrozen}
CRITICS |= {"quadratic of one number": OfOneNumber, "quadratic with a forward hook": Hooked}
