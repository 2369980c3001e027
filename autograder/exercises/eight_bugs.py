"""Eight Functions with one mistake each, for lesson 5: forward is right, backward or its use of ctx is not.

Each docstring says what the Function computes. The notebook shows the sources.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor
from torch.autograd import Function


class Linear(Function):
    """x @ weight.T + bias, with x (n, in), weight (out, in), bias (out)."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        ctx.save_for_backward(x, weight)
        return x @ weight.T + bias

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x, weight = ctx.saved_tensors
        return grad_output @ weight, grad_output.T @ x, grad_output


class Relu(Function):
    """x where it is positive, 0 elsewhere."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        grad_output[x < 0] = 0
        return grad_output


class Multiply(Function):
    """a * b elementwise, a and b of equal shapes."""

    factors: tuple[Tensor, Tensor]

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        Multiply.factors = a, b
        return a * b

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor, Tensor]:
        a, b = Multiply.factors
        return grad_output * b, grad_output * a


class Exp(Function):
    """exp(x) elementwise."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = x.exp()
        ctx.y = y
        return y

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor:
        gradient: Tensor = grad_output * ctx.y
        return gradient


class TakeRows(Function):
    """x[index], with x (n, m) and a tensor of row numbers, some of them more than once."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, index: Tensor) -> Tensor:
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        return x[index]

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor, None]:
        (index,) = ctx.saved_tensors
        gradient = grad_output.new_zeros(ctx.shape)
        gradient[index] = grad_output
        return gradient, None


class Reorder(Function):
    """x[order], with a tensor that holds each row number of x (n, m) once."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, order: Tensor) -> Tensor:
        ctx.save_for_backward(order)
        return x[order]

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor, None]:
        (order,) = ctx.saved_tensors
        return grad_output[order], None


class AddBias(Function):
    """x + bias, with x (n, m) and bias (m)."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, bias: Tensor) -> Tensor:
        return x + bias

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor, Tensor]:
        return grad_output, grad_output.mean(0)


class ScaleAndShift(Function):
    """x * scale + shift elementwise, three tensors of equal shapes."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
        ctx.save_for_backward(x, scale)
        return x * scale + shift

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        x, scale = ctx.saved_tensors
        for_x = grad_output * scale if ctx.needs_input_grad[0] else None
        for_scale = grad_output * x if ctx.needs_input_grad[1] else None
        for_shift = grad_output if ctx.needs_input_grad[1] else None
        return for_x, for_scale, for_shift


EIGHT: tuple[type[Function], ...] = (
    Linear,
    Relu,
    Multiply,
    Exp,
    TakeRows,
    Reorder,
    AddBias,
    ScaleAndShift,
)
