"""Calls a student's gradient_penalty and differentiates what it returns in the critic's parameters."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

import numpy as np
import torch

from autograder.tasks.calling import Caller, called
from autograder.tasks.gradient_penalty.critics import CRITICS, trained
from autograder.tasks.tensors import leaf, tensor_values
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import Array, Request, answer_of
from vjpcheck.errors import StudentError
from vjpcheck.probe.callers_world import Changes
from vjpcheck.probe.torch_tensors import as_array


class Penalty(TypedDict):
    """The value, its gradient for each parameter (None where nothing arrived), what the call has changed."""

    value: np.ndarray | None
    requires_grad: bool
    gradients: dict[str, np.ndarray | None]
    changes: Changes
    error: NotRequired[StudentError]


class Probe(Caller):
    """Calls a student's function."""

    def run(self, critic: str, parameters: Mapping[str, np.ndarray], x: np.ndarray) -> Penalty:
        """Call the student's function with the critic of that name; x requires grad."""
        module, samples = CRITICS[critic](parameters), leaf(x)
        answer, named = blank(Penalty), trained(module)
        returned: Any = None
        with torch.enable_grad(), called(answer, self._name, critic=module, x=samples):
            returned = self._work(module, samples)
            answer["value"] = tensor_values(returned, self._name)
            answer["requires_grad"] = returned.requires_grad
        if answer["requires_grad"] and returned.numel() == 1:
            during = f"the backward pass through what {self._name} returned"
            with called(answer, during, critic=module, x=samples):
                found = torch.autograd.grad(returned.sum(), [*named.values()], allow_unused=True)
                answer["gradients"] = {
                    name: None if gradient is None else as_array(gradient)
                    for name, gradient in zip(named, found, strict=True)
                }
        return answer


def run(critic: str, parameters: Mapping[str, np.ndarray], x: np.ndarray) -> Request[Penalty]:
    """Ask for the penalty of the critic of that name."""
    return Request("run", (critic, parameters, x), answer_of(Penalty, value=Array()))
