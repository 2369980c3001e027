"""Computations that are hard to show well: for the tests of the player, and for `make screenshots`."""

from __future__ import annotations

import torch
from torch import Tensor as TorchTensor
from torch.autograd import Function

from course.engine import Tensor, exp, sin
from course.graph import Graph, record


class KillHead(Function):
    """The identity, whose backward kills the gradient of the first n columns."""

    @staticmethod
    def forward(ctx, x, n):  # type: ignore[no-untyped-def]  # as students write it
        """Keep n, and give back a copy."""
        ctx.n = n
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):  # type: ignore[no-untyped-def]
        """Kill the first n columns."""
        grad = grad_output.clone()
        grad[:, : ctx.n] = 0
        return grad, None


class Multiply(Function):
    """What `*` does already."""

    @staticmethod
    def forward(ctx, a, b):  # type: ignore[no-untyped-def]
        """Keep both factors."""
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, grad):  # type: ignore[no-untyped-def]
        """Give each factor the other one."""
        a, b = ctx.saved_tensors
        return grad * b, grad * a


class Linear(Function):
    """A linear layer whose bias may be None."""

    @staticmethod
    def forward(ctx, x, weight, bias=None):  # type: ignore[no-untyped-def]
        """Keep what the products need."""
        ctx.save_for_backward(x, weight, bias)
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, grad):  # type: ignore[no-untyped-def]
        """Give no gradient to a bias that is not there."""
        x, weight, bias = ctx.saved_tensors
        return grad @ weight, grad.T @ x, None if bias is None else grad.sum(0)


class SinCos(Function):
    """Sine and cosine at once."""

    @staticmethod
    def forward(ctx, x):  # type: ignore[no-untyped-def]
        """Keep both results."""
        sine, cosine = x.sin(), x.cos()
        ctx.save_for_backward(sine, cosine)
        return sine, cosine

    @staticmethod
    def backward(ctx, of_sine, of_cosine):  # type: ignore[no-untyped-def]
        """Add what comes back through both."""
        sine, cosine = ctx.saved_tensors
        return of_sine * cosine - of_cosine * sine


class Cube(Function):
    """A third power whose backward can be differentiated again."""

    @staticmethod
    def forward(ctx, x):  # type: ignore[no-untyped-def]
        """Keep the input."""
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):  # type: ignore[no-untyped-def]
        """Multiply by the derivative."""
        (x,) = ctx.saved_tensors
        return grad * 3 * x**2


class Residual(torch.nn.Module):
    """Two layers, and a way past them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.inner, self.outer = torch.nn.Linear(width, width), torch.nn.Linear(width, width)

    def forward(self, x: TorchTensor) -> TorchTensor:
        """Add the input to what the layers make of it."""
        return x + self.outer(torch.relu(self.inner(x)))


def five_nodes() -> Graph:
    """Record the graph that lesson 1 opens with."""
    w1, w2 = Tensor(2.0, requires_grad=True), Tensor(3.0, requires_grad=True)
    w3, w4 = w1 * w2, sin(w1)
    w5 = w3 + w4
    return record(w5)


def diamond() -> Graph:
    """Record a leaf with three uses, two of them by one operation."""
    x = Tensor(-1.5, requires_grad=True)
    a, b = exp(x), x * x
    y = a - b
    return record(y)


def kill_head() -> Graph:
    """Record a custom Function, with a number on its ctx, between native operations."""
    x = torch.arange(1.0, 7.0).reshape(2, 3).requires_grad_()
    y = KillHead.apply(x, 2)
    z = y * x
    total = z.sum()
    return record(total)


def multiply_twice() -> Graph:
    """Record native `*` beside a custom multiplication of the same factors."""
    a, b = (torch.tensor(number, requires_grad=True) for number in (1.5, -2.0))
    native = a * b
    custom = Multiply.apply(a, b)
    total = native + custom
    return record(total)


def linear_without_bias() -> Graph:
    """Record a custom Function with an argument that is None."""
    torch.manual_seed(0)
    x, weight = torch.randn(2, 3, requires_grad=True), torch.randn(4, 3, requires_grad=True)
    y = Linear.apply(x, weight, None)
    loss = y.square().sum()
    return record(loss)


def unused_output() -> Graph:
    """Record a custom Function with two results, of which the output uses one."""
    x = torch.tensor([0.5, 1.0], requires_grad=True)
    sine, cosine = SinCos.apply(x)
    y = sine.sum()
    graph = record(y)
    del cosine
    return graph


def cube() -> Graph:
    """Record a derivative that was itself computed on the tape."""
    x = torch.tensor(2.0, requires_grad=True)
    y = Cube.apply(x)
    (slope,) = torch.autograd.grad(y, x, create_graph=True)
    return record(slope, of=y)


def residual_block() -> Graph:
    """Record a module with a way past its layers, small enough for all its numbers."""
    torch.manual_seed(0)
    block = Residual(3)
    x = torch.randn(2, 3, requires_grad=True)
    out = block(x)
    loss = out.square().mean()
    return record(loss)


def mlp() -> Graph:
    """Record a network of 12 layers."""
    torch.manual_seed(0)
    layers = [layer for _ in range(12) for layer in (torch.nn.Linear(16, 16), torch.nn.ReLU())]
    net = torch.nn.Sequential(*layers)
    loss = net(torch.randn(8, 16)).square().mean()
    return record(loss)


ALL = (
    five_nodes,
    diamond,
    multiply_twice,
    kill_head,
    linear_without_bias,
    unused_output,
    cube,
    residual_block,
    mlp,
)
