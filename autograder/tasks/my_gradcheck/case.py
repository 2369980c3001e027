"""One case of the battery: a Function, its inputs, and how my_gradcheck is asked about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

Shapes = tuple[tuple[int, ...], ...]
DEFAULTS = (1e-6, 1e-5, 1e-3)  # eps, atol, rtol of torch.autograd.gradcheck


@dataclass(frozen=True)
class Case:
    """A function of tensors of these shapes; `frozen` are positions that do not require grad.

    The inputs are drawn, unless `at` gives them; `by_columns` lays them out so. The case's name in
    the battery completes the sentence: for a Function … `hint` is for who gets it wrong, and `mistake` what
    that shows, if it shows one mistake alone.
    """

    fn: Callable[..., Tensor]
    shapes: Shapes
    tolerances: tuple[float, float, float] = DEFAULTS
    frozen: tuple[int, ...] = ()
    hint: str = "Which entries of the two Jacobians differ here? Do you compare each of them?"
    at: tuple[tuple[float, ...], ...] | None = None
    by_columns: bool = False
    mistake: str | None = None
