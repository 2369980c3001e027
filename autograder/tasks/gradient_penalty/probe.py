"""Calls a student's gradient_penalty and differentiates its result by the critic's parameters."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from autograder.tasks.calls import Answer, FunctionProbe, called
from autograder.tasks.gradient_penalty.critics import CRITICS, trained
from autograder.tasks.tensors import leaf, tensor_values
from vjpcheck.ask.answers import blank
from vjpcheck.probe.torch_tensors import as_array


class Probe(FunctionProbe):
    """Calls gradient_penalty with one of the critics, chosen by its name."""

    def arguments(
        self, critic: str, parameters: Mapping[str, np.ndarray], x: np.ndarray
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return the critic and x, which requires grad."""
        module, samples = CRITICS[critic](parameters), leaf(x)
        return (module, samples), {"critic": module, "x": samples}

    def read(self, returned: object) -> dict[str, np.ndarray | None]:
        """Return the value of the penalty."""
        return {"the penalty": tensor_values(returned, self._name)}

    def differentiate(self, critic: str, parameters: Mapping[str, np.ndarray], x: np.ndarray) -> Answer:
        """Call the function, and return the gradient of its value for each parameter of the critic."""
        answer, ((module, samples), objects) = blank(Answer), self.arguments(critic, parameters, x)
        returned, named = None, trained(module)
        with called(answer, self._name, **objects):
            returned = self._work(module, samples)
            self.read(returned)
        if "error" in answer or returned is None:
            return answer
        with called(answer, f"the backward pass through what {self._name} returned", **objects):
            gradients: Any = [torch.zeros_like(parameter) for parameter in named.values()]
            if returned.requires_grad:
                gradients = torch.autograd.grad(returned.sum(), [*named.values()], materialize_grads=True)
            answer["values"] = dict(zip(named, map(as_array, gradients), strict=True))
        return answer
