"""The fixed point z = tanh(W z + b + x), and the wrong gradients of it that students give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from autograder.exercises.pullbacks import gradient_of
from vjpcheck.spec import Lookalike, PullbackOf

if TYPE_CHECKING:
    from torch import Tensor

System = Callable[["Tensor", "Tensor", "Tensor"], "Tensor"]


def fixed_point(w: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """Solve z = tanh(W z + b + x) so that autograd knows the first and second derivative.

    Newton's method from the solution itself, its matrix held fixed, gains one order of the inputs with each
    step.
    """
    import torch

    weight, bias, drive = (tensor.detach().numpy() for tensor in (w, b, x))
    settled = np.zeros_like(drive)
    for _ in range(60):
        settled = np.tanh(settled @ weight.T + bias + drive)
    slope = np.eye(len(weight), dtype=weight.dtype) - (1 - settled**2)[..., None] * weight
    newton, z = torch.from_numpy(np.linalg.inv(slope)), torch.from_numpy(settled)
    for _ in range(2):
        z = z + (newton @ (torch.tanh(z @ w.T + b + x) - z)[..., None])[..., 0]
    return z


def _one_step(w: Tensor, b: Tensor, x: Tensor) -> Tensor:
    import torch

    return torch.tanh(fixed_point(w, b, x).detach() @ w.T + b + x)


def _slope(z: Tensor) -> Tensor:
    return 1 - z * z


def _not_transposed(axis: int) -> Callable[..., Tensor]:
    """Return what has the gradients that the equation for them gives with W in place of its transpose.

    The slope of tanh multiplies the rows of W (axis 0) or its columns (axis 1).
    """

    def forward(w: Tensor, b: Tensor, x: Tensor) -> Tensor:
        import torch

        z = fixed_point(w, b, x).detach()
        slope = _slope(z).unsqueeze(-1 if axis == 0 else -2)
        system = torch.eye(len(b), dtype=z.dtype) - (w * slope).detach()
        ahead = torch.tanh(z @ w.T + b + x)
        return cast("Tensor", torch.linalg.solve(system.mT, ahead[..., None])[..., 0])

    return forward


def _transposed_for_w(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    for_w, _, _ = gradient_of(fixed_point)(arguments, cotangents)
    return [None if for_w is None else for_w.T, None, None]


def _gradients(w: Tensor, z: Tensor, back: Tensor) -> list[Tensor | None]:
    """Return the gradients for w, b and x from what flows back to W z + b + x."""
    rows = back.reshape(-1, len(w))
    return [rows.T @ z.reshape(-1, len(w)), rows.sum(0), back]


def _slope_at_output(z: Tensor) -> Tensor:
    return 1 - z.tanh() ** 2


def _solved(
    system: System, slope_at_end: bool = True, slope_of: Callable[[Tensor], Tensor] = _slope
) -> PullbackOf:
    """Return the pullback that solves `system` u = g, which is made from I, W and the slope of tanh."""

    def pullback(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
        import torch

        w = arguments[0].detach()
        z = fixed_point(*arguments).detach()
        slope = slope_of(z)
        matrix = system(torch.eye(len(w), dtype=w.dtype), w, slope.unsqueeze(-2))
        u = torch.linalg.solve(matrix, cotangents[0].unsqueeze(-1)).squeeze(-1)
        return _gradients(w, z, slope * u if slope_at_end else u)

    return pullback


def _last_steps(count: int) -> PullbackOf:
    """Return the pullback through the last iterations alone."""

    def pullback(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
        w = arguments[0].detach()
        z = fixed_point(*arguments).detach()
        slope, u = _slope(z), cotangents[0]
        for _ in range(count - 1):
            u = cotangents[0] + (slope * u) @ w
        return _gradients(w, z, slope * u)

    return pullback


LOOKALIKES = (
    Lookalike("differentiates-one-step", gradient_of(_one_step)),
    # more of them solve the equation for the gradient, unfinished; after eight the rest is rounding
    *(
        Lookalike(
            "differentiates-one-step" if count < 4 else "not-precise",
            _last_steps(count),
            f"Only the last {count} iterations are differentiated.",
        )
        for count in range(2, 8)
    ),
    *(Lookalike("missing-transpose", gradient_of(_not_transposed(axis))) for axis in (0, 1)),
    Lookalike("missing-transpose", _transposed_for_w),
    Lookalike(
        "wrong-sign-of-a-term",
        _solved(lambda eye, w, slope: eye + w.T * slope),
        "In the equation for the gradient, the term with W has the opposite sign.",
    ),
    Lookalike(
        "output-for-input",
        _solved(lambda eye, w, slope: eye - w.T * slope, slope_of=_slope_at_output),
        "z is the output of tanh already: its slope is 1 − z², and not 1 − tanh(z)².",
    ),
    Lookalike(
        "wrong-axis",
        _solved(lambda eye, w, slope: eye - w.T * slope.mT),
        "In the equation for the gradient, the slope of tanh multiplies the columns of W, not its rows.",
    ),
    Lookalike(
        "missing-factor",
        _solved(lambda eye, w, slope: eye - w.T),
        "In the equation for the gradient, W is not multiplied by the slope of tanh, 1 − z².",
    ),
    Lookalike(
        "missing-factor",
        _solved(lambda eye, w, slope: eye - w.T * slope, slope_at_end=False),
        "The solution of the equation is not multiplied by the slope of tanh, 1 − z².",
    ),
)
