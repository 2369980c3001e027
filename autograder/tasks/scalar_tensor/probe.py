"""Calls torch functions on a student's ScalarTensor."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Literal, NotRequired, TypedDict

import numpy as np
import torch

from autograder.tasks.calling import Earlier, called
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import UnlessRaised
from vjpcheck.errors import StudentError, WrongReturn, kind, student_errors
from vjpcheck.probe.callers_world import Changes
from vjpcheck.probe.torch_tensors import as_array
from vjpcheck.result import CannotRun

KindOfTensor = Literal["", "transposed Tensor", "Parameter"]
Operand = np.ndarray | float | Sequence[float]


class Called(TypedDict):
    """What a call gave: its kind (a ScalarTensor, a Tensor, a number) and its values, as a dense array.

    `changes` is what the call has changed of the Tensors given, `altered` says whether a ScalarTensor stands
    for another matrix afterwards; where the call was tensor(), after something was written into its result.
    `overwritten` says whether tensor() of another ScalarTensor has changed that result before, or the call
    of a torch function the result of an earlier one.
    """

    kind: str
    values: UnlessRaised[np.ndarray]
    changes: Changes
    altered: bool
    overwritten: bool
    error: NotRequired[StudentError]


class Probe:
    """Holds a student's class; raises CannotRun if it is none."""

    def __init__(self, work: Any, name: str) -> None:
        if not isinstance(work, type):
            raise CannotRun(f"{name} must be a class, but it is {kind(work)}.")
        self._work = work
        self._name = name
        self._earlier = Earlier(as_array)

    def call(self, function: str, operands: Sequence[Operand], kind_of_tensor: KindOfTensor = "") -> Called:
        """Call `torch.<function>`, or the method tensor() of the first operand where it is "tensor".

        A list [n, value] stands for a ScalarTensor, and a second one that equals it for the same ScalarTensor
        again; an array stands for a Tensor, which may lie by columns or be a Parameter.
        """
        answer = blank(Called)
        with called(answer, self._name):
            made = [self._made(operand, kind_of_tensor) for operand in operands]
            if same_twice(operands):
                made = [made[0]] * len(made)
        if "error" in answer:
            return answer
        during, before = "tensor()" if function == "tensor" else f"torch.{function}", self._dense(made)
        given = {f"operand {i}": t for i, t in enumerate(made) if isinstance(t, torch.Tensor)}
        returned = None
        with called(answer, during, **given):
            returned = made[0].tensor() if function == "tensor" else getattr(torch, function)(*made)
        if "error" not in answer:
            with student_errors(answer, during):
                answer["kind"], answer["values"] = self._read(returned)
            if function == "tensor" and isinstance(returned, torch.Tensor):
                answer["overwritten"] = self._overwritten(returned, operands[0])
                _write_into(returned)
            elif type(returned) is torch.Tensor:
                answer["overwritten"] = self._earlier.overwritten_by(returned)
            answer["altered"] = before != self._dense(made)
        return answer

    def _dense(self, made: Sequence[Any]) -> list[bytes]:
        """Return the matrices that ScalarTensors stand for, where they can say it."""
        found: list[bytes] = []
        scalars: list[Any] = [thing for thing in made if isinstance(thing, self._work)]
        with student_errors({}, "tensor()"):
            found += [as_array(scalar.tensor()).tobytes() for scalar in scalars]
        return found

    def _overwritten(self, returned: torch.Tensor, operand: Any) -> bool:
        before, (n, value) = as_array(returned).tobytes(), operand
        with student_errors({}, "tensor()"):
            self._made([n, value + 1], "").tensor()
        return as_array(returned).tobytes() != before

    def _made(self, operand: Operand, kind_of_tensor: KindOfTensor) -> Any:
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


def same_twice(operands: Sequence[Operand]) -> bool:
    """Return whether the operands are one ScalarTensor, given twice."""
    lists = [operand for operand in operands if isinstance(operand, list)]
    return len(lists) == 2 and lists[0] == lists[1]


def _write_into(returned: torch.Tensor) -> None:
    """Change the values of a Tensor, as a caller may, unless entries of it share a place in memory."""
    with torch.no_grad(), suppress(RuntimeError):
        returned.add_(1)
