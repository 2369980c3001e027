"""Calls a student's FoolGradcheck like any Function, and in some ways that gradcheck does not use."""

from collections.abc import Iterator
from types import CodeType
from typing import Any, NotRequired, TypedDict

import numpy as np
import torch
from torch.autograd.gradcheck import GradcheckError

from vjpcheck.ask.protocol import Array, ListOf, Request, schema_of
from vjpcheck.errors import StudentError, student_errors
from vjpcheck.probe import function_probe
from vjpcheck.probe.torch_tensors import as_array

CONSTANTS_AT_MOST = 200


class Ways(TypedDict):
    """The gradients of the sum of the outputs in several ways of use; all should agree."""

    gradients: list[np.ndarray]
    error: NotRequired[StudentError]


class GradcheckAnswer(TypedDict):
    """The message of gradcheck if it fails, or an empty text."""

    refusal: str
    error: NotRequired[StudentError]


class Probe(function_probe.Probe):
    """Holds a student's Function; raises CannotRun for anything else."""

    def constants(self) -> list[float]:
        """Return the numbers in the class and in the globals of its methods: possible special inputs."""
        numbers: list[float] = []
        with student_errors({}, "the class"):
            for value in vars(self._work).values():
                numbers += _numbers(value)
                function = getattr(value, "__func__", value)
                code = getattr(function, "__code__", None)
                if isinstance(code, CodeType):
                    module = getattr(function, "__globals__", {})
                    for inner in _codes(code):
                        numbers += [n for constant in inner.co_consts for n in _numbers(constant)]
                        numbers += [n for name in inner.co_names for n in _numbers(module.get(name))]
        return [number for number in numbers if abs(number) < 1e150][:CONSTANTS_AT_MOST]

    def gradchecked(self, x: np.ndarray) -> GradcheckAnswer:
        """Call gradcheck itself: it runs each backward pass twice, and requires the same numbers."""
        answer: GradcheckAnswer = {"refusal": ""}
        with student_errors(answer, "gradcheck"):
            point = torch.tensor(x, requires_grad=True)
            try:
                torch.autograd.gradcheck(lambda x: self._backend.apply(self._work, x), point)
            except GradcheckError as refusal:
                answer["refusal"] = str(refusal)
        return answer

    def ways(self, x: np.ndarray) -> Ways:
        """Differentiate the sum of the outputs by .backward(), with create_graph, and at a strided x."""
        answer: Ways = {"gradients": []}
        with student_errors(answer, "backward"):
            leaf = torch.tensor(x, requires_grad=True)
            self._backend.apply(self._work, leaf).sum().backward()
            if leaf.grad is not None:
                answer["gradients"].append(as_array(leaf.grad))
            strided = torch.tensor(np.repeat(x, 2, axis=-1))[..., ::2].requires_grad_()
            for point, create_graph in ((leaf, True), (strided, False)):
                output = self._backend.apply(self._work, point).sum()
                (gradient,) = torch.autograd.grad(
                    output, point, create_graph=create_graph, materialize_grads=True
                )
                answer["gradients"].append(as_array(gradient))
        return answer


def ways(x: np.ndarray) -> Request[Ways]:
    """Return the request for the gradient of the sum of the outputs, in several ways of use."""
    return Request("ways", (x,), schema_of(Ways, gradients=ListOf(Array(x.shape, "float64"))))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _numbers(value: Any) -> list[float]:
    if isinstance(value, (int, float)):
        return [float(value)]
    if isinstance(value, (tuple, list, set, frozenset)):
        return [float(item) for item in value if isinstance(item, (int, float))]
    if isinstance(value, (torch.Tensor, np.ndarray)):
        return [float(item) for item in np.asarray(value).ravel()[:CONSTANTS_AT_MOST]]
    return []
