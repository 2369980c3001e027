"""Eight Functions with one mistake each, for lesson 5: forward is right, backward or its use of ctx is not.

Each docstring says what the Function computes. The notebook shows the sources, and CANDIDATES to choose from.
"""

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
    """x[index], with x (n, m) and a tensor of row numbers, some of them repeated."""

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
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
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

# mistake id → what it is; the notebook lists these, the eight right ids among them
CANDIDATES: dict[str, str] = {
    "missing-unbroadcast": "The gradient is not summed over the axes along which forward repeated the input.",
    "gradient-too-large": "The gradient is summed to the input's shape and then expanded again.",
    "wrong-sum-axis": "The gradient is summed, but over the wrong axis.",
    "mean-instead-of-sum": "The gradient is averaged over an axis instead of summed.",
    "wrong-factor": "The gradient is a constant multiple of the right one.",
    "wrong-sign": "The gradient has the opposite sign.",
    "missing-grad-output": "Backward returns the derivative without the cotangent.",
    "gradient-nonlinear": "The gradient is not a linear function of the cotangent.",
    "gradients-swapped": "Two gradients are returned in each other's place.",
    "missing-gradient": "Backward always returns None or zeros for an input that the output depends on.",
    "missing-mask": "Backward lets through entries that forward set to 0.",
    "mask-on-gradient": "Backward selects entries by the sign of the cotangent instead of the input.",
    "diagonal-only": "Backward assumes that each output depends on one input entry only.",
    "overwrites-instead-of-accumulates": "Contributions to one entry replace each other and do not add up.",
    "inverse-permutation": "Backward applies the permutation of forward again, instead of its inverse.",
    "output-for-input": "The derivative is evaluated at the output instead of the input.",
    "wrong-needs-input-grad-index": "The gradient of one argument is computed only if another one needs it.",
    "mutates-grad-output": "Backward writes into the cotangent.",
    "mutates-input": "Forward changes an input in place and does not declare it.",
    "mutates-saved-tensor": "Backward writes into a saved tensor.",
    "state-on-class": "What backward needs is kept on the class, where the next call replaces it.",
    "input-kept-on-ctx": "An input is kept as an attribute of ctx, without save_for_backward.",
    "output-kept-on-ctx": "An output is kept as an attribute of ctx, without save_for_backward.",
    "not-reproducible": "Backward draws random numbers, so two passes give different gradients.",
}
