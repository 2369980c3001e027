"""Makes a student's LoggingTensor, calls torch on it and reads its log."""

from typing import Any, NotRequired, TypedDict

import numpy as np
import torch

from autograder.tasks.calls import called
from autograder.tasks.logging_tensor.calls import make
from autograder.tasks.logging_tensor.logs import new_entries
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import UnlessRaised
from vjpcheck.errors import StudentError, WrongReturn, kind
from vjpcheck.probe.callers_world import Changes
from vjpcheck.probe.torch_tensors import as_array
from vjpcheck.result import CannotRun
from vjpcheck.torch_internals import as_plain_tensors


class CallAnswer(TypedDict):
    """The result of one call: its type and values, the new entries of each log, and the call's changes."""

    type: str
    kept: bool
    values: UnlessRaised[np.ndarray]
    entries: dict[str, list[str]]
    changes: Changes
    error: NotRequired[StudentError]


class Probe:
    """Holds a student's class; raises CannotRun if the class is no subclass of Tensor."""

    def __init__(self, work: Any, name: str) -> None:
        if not isinstance(work, type) or not issubclass(work, torch.Tensor):
            kind_of_work = f"the class {work.__name__}" if isinstance(work, type) else kind(work)
            raise CannotRun(f"{name} must be a subclass of torch.Tensor, but it is {kind_of_work}.")
        self._work = work
        self._name = name

    def run(self, call: str, x: np.ndarray, t: np.ndarray) -> CallAnswer:
        """Make the call of that name with x as a LoggingTensor and t as a plain Tensor."""
        answer, source, plain = blank(CallAnswer), torch.tensor(x), torch.tensor(t)
        with called(answer, self._name, x=source):
            tensor = self._make(source)
        if "error" in answer:
            return answer
        during, both = f"{self._name}, in {call},", [plain, tensor]
        with called(answer, during, x=source, t=plain):
            with new_entries(self._work) as answer["entries"]:
                returned = make(call, tensor, plain, both)
            if both[0] is not plain or both[1] is not tensor:  # it is the caller's list
                answer["changes"]["the list [t, x]"] = ["values"]
            answer["type"] = type(returned).__name__
            answer["kept"] = isinstance(returned, self._work)
            if not isinstance(returned, torch.Tensor):
                raise WrongReturn(f"{call} gives {kind(returned)} and not a {self._name}.")
            answer["values"] = _values(returned)
        return answer

    def _make(self, x: torch.Tensor) -> Any:
        if self._work.__new__ is torch.Tensor.__new__:
            return x.as_subclass(self._work)
        return self._work(x)  # a type that wraps a tensor is made by its own constructor


def _values(tensor: torch.Tensor) -> np.ndarray:
    """Return the values; those of a type that wraps a tensor are copied, as it has no memory of its own."""
    try:
        return as_array(tensor)
    except RuntimeError:
        with as_plain_tensors():
            plain = torch.empty(tensor.shape, dtype=tensor.dtype)
            plain.copy_(tensor)
        return plain.numpy()
