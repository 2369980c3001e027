"""The student's Function as a torch Function of the verdict's own, whose every method calls the probe.

gradcheck, gradgradcheck and a training loop can run on it without ever touching student code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch.autograd import Function

from autograder.errors import StudentError, tell
from autograder.function.arguments import Argument
from autograder.function.probe import FunctionProbe
from autograder.function.tensors import spread


def probed(
    probe: FunctionProbe, arguments: Sequence[Argument], positions: Sequence[int], flows: Sequence[bool]
) -> Callable[..., Any]:
    """Return the student's function of the tensors at `positions`, the other arguments held fixed.

    It gives those of the first outputs that `flows` marks as having a gradient. Raises RuntimeError, with the
    student's own error told in one sentence, where the student's code raises.
    """

    def call(*tensors: torch.Tensor) -> Any:
        return _Probed.apply(probe, arguments, positions, flows, *tensors)

    return call


def _fill(
    arguments: Sequence[Argument], positions: Sequence[int], tensors: Sequence[torch.Tensor]
) -> list[Argument]:
    filled = list(arguments)
    for position, tensor in zip(positions, tensors, strict=True):
        filled[position] = tensor.detach().numpy()
    return filled


def _raise_for(answer: Any) -> None:
    error: StudentError | None = answer.get("error")
    if error is not None:
        raise RuntimeError(tell(error))


class _Probed(Function):
    @staticmethod
    def forward(
        ctx: Any, probe: FunctionProbe, arguments: Any, positions: Any, flows: Any, *tensors: Any
    ) -> Any:
        ctx.fixed = probe, arguments, positions, flows
        ctx.save_for_backward(*tensors)
        answer = probe.forward(_fill(arguments, positions, tensors))
        _raise_for(answer)
        pairs = zip(answer["outputs"], flows, strict=False)  # there may be further outputs
        return tuple(torch.tensor(value) for value, flow in pairs if flow)

    @staticmethod
    def backward(ctx: Any, *cotangents: Any) -> Any:
        gradients = _ProbedBackward.apply(
            ctx.fixed, ctx.needs_input_grad[4:], *ctx.saved_tensors, *cotangents
        )
        return (None, None, None, None, *gradients)


class _ProbedBackward(Function):
    @staticmethod
    def forward(ctx: Any, fixed: Any, needed: Sequence[bool], *tensors: Any) -> Any:
        probe, arguments, positions, flows = fixed
        ctx.fixed, ctx.needed = fixed, needed
        ctx.save_for_backward(*tensors)
        inputs, cotangents = tensors[: len(positions)], tensors[len(positions) :]
        answer = probe.vjp(
            _fill(arguments, positions, inputs),
            _flags(arguments, positions, needed),
            spread(cotangents, flows),
        )
        _raise_for(answer)
        return tuple(_or_zeros(answer["gradients"][p], t) for p, t in zip(positions, inputs, strict=True))

    @staticmethod
    def backward(ctx: Any, *seconds: Any) -> Any:
        probe, arguments, positions, flows = ctx.fixed
        tensors = ctx.saved_tensors
        inputs, cotangents = tensors[: len(positions)], tensors[len(positions) :]
        directions: list[Argument] = [None] * len(arguments)
        for position, second in zip(positions, seconds, strict=True):
            directions[position] = second.numpy()
        answer = probe.second_vjp(
            _fill(arguments, positions, inputs),
            _flags(arguments, positions, ctx.needed),
            spread(cotangents, flows),
            directions,
        )
        _raise_for(answer)
        for_inputs = [
            _or_zeros(answer["for_arguments"][p], t) for p, t in zip(positions, inputs, strict=True)
        ]
        given = [a for a, flow in zip(answer["for_cotangents"], flows, strict=True) if flow]
        for_cotangents = [_or_zeros(a, t) for a, t in zip(given, cotangents, strict=True)]
        return (None, None, *for_inputs, *for_cotangents)


def _flags(arguments: Sequence[Argument], positions: Sequence[int], needed: Sequence[bool]) -> list[bool]:
    asked = dict(zip(positions, needed, strict=True))
    return [asked.get(position, False) for position in range(len(arguments))]


def _or_zeros(array: np.ndarray | None, like: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(like) if array is None else torch.tensor(array).reshape(like.shape)
