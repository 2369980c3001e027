"""Applies the transforms of torch.func and forward mode to a function of one tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.autograd import forward_ad
from torch.func import grad, hessian, jacfwd, jacrev, jvp, vjp, vmap

from vjpcheck.ask.answers import Layout
from vjpcheck.probe.torch_tensors import as_array, laid_out

Single = Callable[[Tensor], Tensor]


class Point(NamedTuple):
    """The tensors for a transform: an input and a direction, a batch of inputs and a batch of directions."""

    x: Tensor
    along: Tensor
    batch: Tensor
    along_batch: Tensor


def _dual(f: Single, p: Point) -> Tensor:
    with forward_ad.dual_level():
        tangent: Any = forward_ad.unpack_dual(f(forward_ad.make_dual(p.x, p.along))).tangent
        return torch.zeros_like(p.x) if tangent is None else tangent


def _dot(f: Single, along: Tensor) -> Single:
    return lambda x: (f(x) * along).sum()


def _from_axis(axis: int, to: int) -> Callable[[Single, Point], Tensor]:
    def transform(f: Single, p: Point) -> Tensor:
        return vmap(f, in_dims=axis, out_dims=to)(p.batch.movedim(0, axis)).movedim(to, 0)

    return transform


def _through_vmap(f: Single, p: Point) -> Tensor:
    batch = p.batch.clone().requires_grad_()
    output = vmap(f, in_dims=1)(batch.movedim(0, 1))
    return torch.autograd.grad(output, batch, p.along_batch)[0]


def _twice(inner: Callable[[Single, Point], Callable[[Tensor], Tensor]]) -> Callable[[Single, Point], Tensor]:
    """Return the gradient of a first derivative of the batched function, in another direction."""
    return lambda f, p: grad(_dot(inner(f, p), p.along_batch.flip(0)))(p.batch)


TRANSFORMS: dict[str, Callable[[Single, Point], Tensor]] = {
    "torch.func.jvp": lambda f, p: jvp(f, (p.x,), (p.along,))[1],
    "the output of torch.func.jvp": lambda f, p: jvp(f, (p.x,), (p.along,))[0],
    "the input after torch.func.jvp": lambda f, p: (jvp(f, (p.x,), (p.along,)), p.x)[1],
    "the input after torch.vmap": lambda f, p: (vmap(f)(p.batch), p.batch)[1],
    "torch.autograd.forward_ad": _dual,
    "torch.func.vjp": lambda f, p: vjp(f, p.x)[1](p.along)[0],
    "torch.vmap": _from_axis(0, 0),
    "the batch as one sample": lambda f, p: f(p.batch),  # the result of a wrong vmap
    "torch.vmap over axis 1": _from_axis(1, 1),
    "torch.vmap over the last axis": _from_axis(-1, 0),
    "torch.vmap in torch.vmap": lambda f, p: vmap(vmap(f), in_dims=1)(torch.stack([p.batch, p.along_batch])),
    "the gradient through torch.vmap": _through_vmap,
    "torch.func.grad of torch.vmap": lambda f, p: grad(_dot(vmap(f), p.along_batch))(p.batch),
    "torch.vmap of the gradient": lambda f, p: vmap(lambda x, along: grad(_dot(f, along))(x))(
        p.batch, p.along_batch
    ),
    "torch.func.jvp of torch.vmap": lambda f, p: jvp(vmap(f), (p.batch,), (p.along_batch,))[1],
    "torch.func.jvp of torch.vmap over axis 1": lambda f, p: jvp(
        vmap(f, in_dims=1), (p.batch.movedim(0, 1),), (p.along_batch.movedim(0, 1),)
    )[1],
    "torch.func.jacrev": lambda f, p: jacrev(f)(p.x),
    "torch.func.jacfwd": lambda f, p: jacfwd(f)(p.x),
    "torch.func.hessian": lambda f, p: hessian(f)(p.x),
    "torch.func.jacrev of torch.func.jacrev": lambda f, p: jacrev(jacrev(f))(p.x),
    "torch.func.jacrev of torch.func.jacfwd": lambda f, p: jacrev(jacfwd(f))(p.x),
    "torch.func.grad of torch.func.grad of torch.vmap": _twice(
        lambda f, p: grad(_dot(vmap(f), p.along_batch))
    ),
    "torch.func.grad of torch.func.jvp of torch.vmap": _twice(
        lambda f, p: lambda x: jvp(vmap(f), (x,), (p.along_batch,))[1]
    ),
}


def tangents(
    function: Callable[..., Any], tensors: Sequence[Any], directions: Sequence[Tensor | None]
) -> list[np.ndarray | None]:
    """Return the tangent of each output, or None; each direction is the tangent of an argument, or None."""
    with forward_ad.dual_level():
        duals = [
            tensor if along is None else forward_ad.make_dual(tensor, along)
            for tensor, along in zip(tensors, directions, strict=True)
        ]
        returned = function(*duals)
        outputs = returned if isinstance(returned, tuple) else (returned,)
        results: list[Any] = [forward_ad.unpack_dual(output).tangent for output in outputs]
        return [None if tangent is None else as_array(tangent) for tangent in results]


def first_output(function: Callable[[Tensor], Any]) -> Single:
    """Return the function that returns only the first output."""

    def f(x: Tensor) -> Tensor:
        returned = function(x)
        output: Tensor = returned[0] if isinstance(returned, tuple) else returned
        return output

    return f


def transformed(
    name: str, function: Callable[[Tensor], Any], point: Sequence[np.ndarray], layout: Layout = ""
) -> np.ndarray:
    """Return the result of a transform of the first output of a function."""
    place = Point(*(laid_out(torch.tensor(array), layout) for array in point))
    return as_array(TRANSFORMS[name](first_output(function), place))
