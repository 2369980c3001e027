"""Calls torch functions on a student's ScalarTensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

import numpy as np
import torch

from autograder.errors import StudentError, WrongReturn, student_errors
from autograder.function.torch_tensors import as_array
from autograder.protocol import Array, Request, answer_of
from autograder.result import CannotRun
from autograder.tasks.calling import kind

Operand = np.ndarray | float | Sequence[float]


class Called(TypedDict):
    """What a call gave: its kind (a ScalarTensor, a Tensor, a number) and its values, as a dense array."""

    kind: str
    values: np.ndarray | None
    changed: bool
    error: NotRequired[StudentError]


class Probe:
    """Holds a student's class; raises CannotRun if it is none."""

    def __init__(self, work: Any, name: str) -> None:
        if not isinstance(work, type):
            raise CannotRun(f"{name} must be a class, but it is {kind(work)}.")
        self._work = work
        self._name = name

    def call(self, function: str, operands: Sequence[Operand]) -> Called:
        """Call `torch.<function>`, or the method tensor() of the first operand where it is "tensor".

        A list [n, value] stands for a ScalarTensor, an array for a Tensor.
        """
        answer: Called = {"kind": "", "values": None, "changed": False}
        with student_errors(answer, self._name):
            made = [self._made(operand) for operand in operands]
        if "error" in answer:
            return answer
        with student_errors(answer, "tensor()" if function == "tensor" else f"torch.{function}"):
            returned = made[0].tensor() if function == "tensor" else getattr(torch, function)(*made)
            answer["kind"], answer["values"] = self._read(returned)
        with student_errors({}, "tensor()"):
            answer["changed"] = any(
                isinstance(operand, np.ndarray) and not np.array_equal(as_array(tensor), operand)
                for tensor, operand in zip(made, operands, strict=True)
            )
        return answer

    def _made(self, operand: Operand) -> Any:
        if isinstance(operand, np.ndarray):
            return torch.tensor(operand)
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
        if isinstance(returned, (int, float)) and not isinstance(returned, bool):
            return "number", np.asarray(float(returned))
        raise WrongReturn(f"The call gives {kind(returned)}, which is neither a number nor a Tensor.")


def call(function: str, *operands: Operand) -> Request[Called]:
    """Ask for what a torch function gives, or the method tensor()."""
    return Request("call", (function, operands), answer_of(Called, values=Array()))
