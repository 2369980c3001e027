"""Array workloads: the same lines of code run on the engine and its peers, and once more by hand in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import autograd
import autograd.numpy as autograd_numpy
import mygrad
import numpy as np
import tinygrad
import torch

from benchmarks.report import BY_HAND, ENGINE, Report, at_most
from benchmarks.timing import Work, medians
from course.engine import Tensor, sum, tanh

OPERATIONS = 1000


class Library(NamedTuple):
    """What an array workload needs of a library; all else is operators and methods."""

    leaf: Callable[[Any], Any]
    tanh: Callable[[Any], Any]
    sum: Callable[[Any], Any]


OURS = Library(lambda a: Tensor(a, requires_grad=True), tanh, sum)
TORCH = Library(lambda a: torch.tensor(a, requires_grad=True), torch.tanh, torch.sum)
MYGRAD = Library(lambda a: mygrad.tensor(a), mygrad.tanh, mygrad.sum)
TINYGRAD = Library(lambda a: tinygrad.Tensor(a), lambda x: x.tanh(), lambda x: x.sum())
AUTOGRAD = Library(lambda a: a, autograd_numpy.tanh, autograd_numpy.sum)


def operands(size: int) -> tuple[Any, Any, Any]:
    """Return a start, a factor and a summand."""
    return np.linspace(0.1, 0.9, size), np.linspace(0.9, 1.0, size), np.linspace(0.0, 0.1, size)


def elementwise(x: Any, w: Any, b: Any) -> Any:
    """Alternate products and sums of arrays."""
    for _ in range(OPERATIONS // 2):
        x = x * w + b
    return x


def elementwise_by_hand(size: int) -> Any:
    """Return the gradients of the sum by start, factor and summand."""
    x, w, b = operands(size)
    kept = []
    for _ in range(OPERATIONS // 2):
        kept.append(x)
        x = x * w + b
    adjoint, by_w, by_b = np.ones(size), np.zeros(size), np.zeros(size)
    for x in reversed(kept):
        by_b += adjoint
        by_w += adjoint * x
        adjoint = adjoint * w
    return adjoint, by_w, by_b


def elementwise_with(library: Library, size: int) -> Any:
    """Return the gradients of the sum by start, factor and summand."""
    leaves = [library.leaf(a) for a in operands(size)]
    library.sum(elementwise(*leaves)).backward()
    return [leaf.grad for leaf in leaves]


def elementwise_with_autograd(size: int) -> Any:
    """Return the gradients of the sum by start, factor and summand."""
    gradient = autograd.grad(lambda leaves: autograd_numpy.sum(elementwise(*leaves)))
    return gradient(operands(size))


def layers() -> tuple[Any, ...]:
    """Return a batch of 32 × 64, its targets, and the weights and biases of 64–64 and 64–10."""
    generator = np.random.default_rng(0)
    sizes = [(32, 64), (32, 10), (64, 64), (64,), (64, 10), (10,)]
    return tuple(generator.uniform(-0.2, 0.2, size) for size in sizes)


def loss(library: Library, x: Any, target: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """Return half the squared error of a network with one hidden layer."""
    error = library.tanh(x @ w1 + b1) @ w2 + b2 - target
    return library.sum(error * error) * 0.5


def mlp_by_hand() -> Any:
    """Return the gradients by weights and biases."""
    x, target, w1, b1, w2, b2 = MLP
    h = np.tanh(x @ w1 + b1)
    error = h @ w2 + b2 - target
    _ = np.sum(error * error) * 0.5
    by_sum = (error @ w2.T) * (1 - h * h)
    return x.T @ by_sum, by_sum.sum(0), h.T @ error, error.sum(0)


MLP = layers()


def mlp_with(library: Library, constant: Callable[[Any], Any]) -> Work:
    """Return a work: forward and backward over leaves made once, as in training."""
    x, target = (constant(a) for a in MLP[:2])
    parameters = [library.leaf(a) for a in MLP[2:]]

    def run() -> Any:
        for p in parameters:
            p.grad = None
        loss(library, x, target, *parameters).backward()
        return [p.grad for p in parameters]

    return run


def mlp_with_autograd() -> Any:
    """Return the gradients by weights and biases."""
    return autograd.grad(lambda parameters: loss(AUTOGRAD, *MLP[:2], *parameters))(MLP[2:])


def mlp_with_mygrad() -> Any:
    """Return the gradients by weights and biases, of new leaves: mygrad's `.grad` cannot be set."""
    parameters = [mygrad.tensor(a) for a in MLP[2:]]
    loss(MYGRAD, *MLP[:2], *parameters).backward()
    return [p.grad for p in parameters]


def rows(report: Report) -> None:
    """Measure the array rows of the table, but the second derivative."""
    for size, bound in ((100, 3.8), (10_000, 1.45)):
        report.heading(f"{OPERATIONS:,} elementwise operations on {size:,} elements")
        works = {
            BY_HAND: lambda size=size: elementwise_by_hand(size),
            ENGINE: lambda size=size: elementwise_with(OURS, size),
            "torch": lambda size=size: elementwise_with(TORCH, size),
            "autograd": lambda size=size: elementwise_with_autograd(size),
            "mygrad": lambda size=size: elementwise_with(MYGRAD, size),
            "tinygrad": lambda size=size: [g.numpy() for g in elementwise_with(TINYGRAD, size)],
        }
        report.times(medians(works, 11), BY_HAND, {(ENGINE, BY_HAND): at_most(bound)})

    report.heading("MLP 32×64–64–10, forward and backward")
    works = {
        BY_HAND: mlp_by_hand,
        ENGINE: mlp_with(OURS, lambda a: a),
        "torch": mlp_with(TORCH, torch.tensor),
        "autograd": mlp_with_autograd,
        "mygrad": mlp_with_mygrad,
    }
    report.times(medians(works, 15, batch=20), BY_HAND, {(ENGINE, BY_HAND): at_most(2.6)})
