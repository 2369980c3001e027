"""Hessian-vector products: the gradient of a gradient, and by hand."""

from __future__ import annotations

from typing import Any

import autograd
import autograd.numpy as autograd_numpy
import numpy as np
import torch

from benchmarks.report import BY_HAND, ENGINE, Report, at_least, at_most
from benchmarks.timing import medians
from course.engine import Tensor, grad

SIZE = 100
OPERATIONS = 1000
START = np.linspace(0.1, 0.9, SIZE)
SUMMAND = np.linspace(0.2, 0.3, SIZE)
VECTOR = np.linspace(-1.0, 1.0, SIZE)


def function(x: Any, summand: Any) -> Any:
    """Return products and sums that x goes into each round: no derivative of low order vanishes."""
    y = x
    for _ in range(OPERATIONS // 2):
        y = y * x + summand
    return y


def by_hand() -> Any:
    """Push x and its tangent forward, then pull the adjoint and its tangent back."""
    y, tangent = START, VECTOR
    kept = []
    for _ in range(OPERATIONS // 2):
        kept.append((y, tangent))
        y, tangent = y * START + SUMMAND, tangent * START + y * VECTOR
    adjoint, adjoint_tangent = np.ones(SIZE), np.zeros(SIZE)
    product = np.zeros(SIZE)
    for y, tangent in reversed(kept):
        product += adjoint_tangent * y + adjoint * tangent
        adjoint, adjoint_tangent = adjoint * START, adjoint_tangent * START + adjoint * VECTOR
    return product + adjoint_tangent


def with_engine() -> Any:
    """Differentiate the gradient times a vector."""
    x = Tensor(START, requires_grad=True)
    (first,) = grad(function(x, SUMMAND).sum(), x, create_graph=True)
    return grad(first, x, Tensor(VECTOR))[0].data  # type: ignore[union-attr]


def with_torch() -> Any:
    """Differentiate the gradient times a vector."""
    x = torch.tensor(START, requires_grad=True)
    (first,) = torch.autograd.grad(function(x, torch.tensor(SUMMAND)).sum(), x, create_graph=True)
    return torch.autograd.grad(first, x, torch.tensor(VECTOR))[0].numpy()


def with_autograd() -> Any:
    """Differentiate the gradient times a vector."""
    first = autograd.grad(lambda x: autograd_numpy.sum(function(x, SUMMAND)))
    return autograd.grad(lambda x: autograd_numpy.sum(first(x) * VECTOR))(START)


def rows(report: Report) -> None:
    """Measure the Hessian-vector product."""
    report.heading(f"Hessian-vector product, {OPERATIONS:,} operations of {SIZE} elements")
    works = {BY_HAND: by_hand, ENGINE: with_engine, "torch": with_torch, "autograd": with_autograd}
    targets = {(ENGINE, BY_HAND): at_most(6), ("torch", ENGINE): at_least(1.4)}
    report.times(medians(works, 15), BY_HAND, targets)
