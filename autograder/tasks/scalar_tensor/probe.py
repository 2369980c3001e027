"""Calls torch functions on a student's ScalarTensor."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Literal, NotRequired, TypedDict

import numpy as np
import torch

from autograder.tasks.calls import EarlierResults, called
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import UnlessRaised
from vjpcheck.errors import StudentError, WrongReturn, kind, student_errors
from vjpcheck.probe.callers_world import Changes
from vjpcheck.probe.torch_tensors import as_array
from vjpcheck.result import CannotRun

KindOfTensor = Literal["", "transposed Tensor", "Parameter"]
Operand = np.ndarray | float | Sequence[float]


class Answer(TypedDict):
    """The result of a call: its kind (a ScalarTensor, a Tensor, a number) and its values, as a dense array.

    `changes` are those of the Tensors among the operands. `altered` is true if a ScalarTensor represents
    another matrix afterwards; for a call of tensor(), after a write into its result. `overwritten` is true if
    tensor() of another ScalarTensor has changed that result, or a torch function the result of an earlier
    call.
    """

    kind: str
    values: UnlessRaised[np.ndarray]
    changes: Changes
    altered: bool
    overwritten: bool
    error: NotRequired[StudentError]


class Probe:
    """Holds a student's class; raises CannotRun for anything else."""

    def __init__(self, work: Any, name: str) -> None:
        if not isinstance(work, type):
            raise CannotRun(f"{name} must be a class, but it is {kind(work)}.")
        self._work = work
        self._name = name
        self._earlier = EarlierResults(as_array)

    def call(self, function: str, operands: Sequence[Operand], kind_of_tensor: KindOfTensor = "") -> Answer:
        """Call `torch.<function>`, or the method tensor() of the first operand if `function` is "tensor".

        A list [n, value] stands for a ScalarTensor, and a second, equal list for the same ScalarTensor again;
        an array stands for a Tensor, which may be laid out by columns or be a Parameter.
        """
        answer = blank(Answer)
        with called(answer, self._name):
            values = [self._make(operand, kind_of_tensor) for operand in operands]
            if is_repeated(operands):
                values = [values[0]] * len(values)
        if "error" in answer:
            return answer
        during, earlier = "tensor()" if function == "tensor" else f"torch.{function}", self._dense(values)
        tensors = {f"operand {i}": t for i, t in enumerate(values) if isinstance(t, torch.Tensor)}
        returned = None
        with called(answer, during, **tensors):
            returned = values[0].tensor() if function == "tensor" else getattr(torch, function)(*values)
        if "error" not in answer:
            with student_errors(answer, during):
                answer["kind"], answer["values"] = self._read(returned)
            if function == "tensor" and isinstance(returned, torch.Tensor):
                answer["overwritten"] = self._overwritten(returned, operands[0])
                _write_into(returned)
            elif type(returned) is torch.Tensor:
                answer["overwritten"] = self._earlier.overwritten_by(returned)
            answer["altered"] = earlier != self._dense(values)
        return answer

    def _dense(self, values: Sequence[Any]) -> list[bytes]:
        """Return the bytes of the ScalarTensors' matrices, without those whose tensor() fails."""
        matrices: list[bytes] = []
        scalars: list[Any] = [thing for thing in values if isinstance(thing, self._work)]
        with student_errors({}, "tensor()"):
            matrices += [as_array(scalar.tensor()).tobytes() for scalar in scalars]
        return matrices

    def _overwritten(self, returned: torch.Tensor, operand: Any) -> bool:
        earlier, (n, value) = as_array(returned).tobytes(), operand
        with student_errors({}, "tensor()"):
            self._make([n, value + 1], "").tensor()
        return as_array(returned).tobytes() != earlier

    def _make(self, operand: Operand, kind_of_tensor: KindOfTensor) -> Any:
        if isinstance(operand, np.ndarray):
            if kind_of_tensor == "Parameter":
                return torch.nn.Parameter(torch.tensor(operand), requires_grad=False)
            turned = kind_of_tensor == "transposed Tensor"
            return torch.tensor(np.ascontiguousarray(operand.T)).T if turned else torch.tensor(operand)
        if isinstance(operand, Sequence):
            return self._work(int(operand[0]), operand[1])
        return operand

    def _read(self, returned: Any) -> tuple[str, np.ndarray]:
        if isinstance(returned, self._work):
            dense: Any = returned
            return self._name, self._read_plain(dense.tensor())[1]
        return self._read_plain(returned)

    def _read_plain(self, returned: Any) -> tuple[str, np.ndarray]:
        if isinstance(returned, torch.Tensor):
            return "Tensor", as_array(returned)
        if isinstance(returned, (int, float, np.floating, np.integer)) and not isinstance(returned, bool):
            return "number", np.asarray(float(returned))
        raise WrongReturn(f"The call returns {kind(returned)}, which is neither a number nor a Tensor.")


def is_repeated(operands: Sequence[Operand]) -> bool:
    """Return whether the two operands are the same ScalarTensor."""
    lists = [operand for operand in operands if isinstance(operand, list)]
    return len(lists) == 2 and lists[0] == lists[1]


def _write_into(returned: torch.Tensor) -> None:
    """Change the values of a Tensor, as a caller may, unless some of its entries share memory."""
    with torch.no_grad(), suppress(RuntimeError):
        returned.add_(1)
