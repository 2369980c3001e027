"""The student's Function as an engine Function of the verdict's own, whose every method calls the probe.

The engine's gradcheck and gradgradcheck can run on it without ever touching student code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.engine_function.tensors import as_array, spread
from autograder.errors import tell
from autograder.function.arguments import Argument
from course.engine import Function, Tensor

if TYPE_CHECKING:
    from autograder.engine_function.probe import EngineProbe


def probed(
    probe: EngineProbe, arguments: Sequence[Argument], positions: Sequence[int]
) -> Callable[..., Tensor]:
    """Return the student's function of the Tensors at `positions`, the other arguments held fixed.

    Raises RuntimeError, with the student's own error told in one sentence, where the student's code raises.
    """

    def call(*tensors: Tensor) -> Tensor:
        output: Tensor = _Probed.apply((probe, arguments, positions), *tensors)
        return output

    return call


def _fill(fixed: Any, tensors: Sequence[Tensor]) -> list[Argument]:
    filled = list(fixed[1])
    for position, tensor in zip(fixed[2], tensors, strict=True):
        filled[position] = as_array(tensor)
    return filled


def _flags(fixed: Any, needed: Sequence[bool]) -> list[bool]:
    asked = dict(zip(fixed[2], needed, strict=True))
    return [asked.get(position, False) for position in range(len(fixed[1]))]


def _raise_for(answer: Any) -> None:
    if "error" in answer:
        raise RuntimeError(tell(answer["error"]))


class _Probed(Function):
    @staticmethod
    def forward(ctx: Any, fixed: Any, *tensors: Any) -> Any:
        ctx.fixed = fixed
        ctx.save_for_backward(*tensors)
        answer = fixed[0].forward(_fill(fixed, tensors))
        _raise_for(answer)
        return Tensor(answer["outputs"][0])

    @staticmethod
    def backward(ctx: Any, cotangent: Any) -> Any:
        gradients = _ProbedBackward.apply(ctx.fixed, ctx.needs_input_grad[1:], *ctx.saved_tensors, cotangent)
        return (None, *gradients)


class _ProbedBackward(Function):
    @staticmethod
    def forward(ctx: Any, fixed: Any, needed: Sequence[bool], *tensors: Any) -> Any:
        ctx.fixed, ctx.needed = fixed, needed
        ctx.save_for_backward(*tensors)
        *inputs, cotangent = tensors
        answer = fixed[0].vjp(_fill(fixed, inputs), _flags(fixed, needed), [as_array(cotangent)])
        _raise_for(answer)
        return tuple(_or_zeros(answer["gradients"][p], t) for p, t in zip(fixed[2], inputs, strict=True))

    @staticmethod
    def backward(ctx: Any, *seconds: Any) -> Any:
        *inputs, cotangent = ctx.saved_tensors
        directions = spread(seconds, _flags(ctx.fixed, [True] * len(inputs)))
        answer = ctx.fixed[0].second_vjp(
            _fill(ctx.fixed, inputs), _flags(ctx.fixed, ctx.needed), [as_array(cotangent)], directions
        )
        _raise_for(answer)
        for_inputs = [
            _or_zeros(answer["for_arguments"][p], t) for p, t in zip(ctx.fixed[2], inputs, strict=True)
        ]
        return (None, None, *for_inputs, _or_zeros(answer["for_cotangents"][0], cotangent))


def _or_zeros(array: np.ndarray | None, like: Tensor) -> Tensor:
    return Tensor(np.zeros(like.shape) if array is None else array.reshape(like.shape))
