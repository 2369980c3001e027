"""Defines the specification of a Function: the function to compute, and the inputs to try."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from vjpcheck.arguments import Argument, Arguments, Library
from vjpcheck.domain import Domain
from vjpcheck.numbers import RELATIVE

if TYPE_CHECKING:
    from torch import Tensor

    from vjpcheck.truth.native import Truth


Observe = Callable[[Arguments, Sequence[np.ndarray]], Arguments]
# from the lists of arguments and of cotangents to a gradient (or None) for each argument
PullbackOf = Callable[[Sequence[Any], Sequence[Any]], Sequence["Tensor | None"]]


class Lookalike(NamedTuple):
    """A wrong pullback: the id of the mistake, the gradients that it gives, and a sentence about them.

    If the pullback gives None for an argument, it says nothing about that argument.
    """

    mistake: str
    pullback: PullbackOf
    sentence: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Spec:
    """The function that a Function must compute, and the inputs to try.

    `library` is the library of the Function, PyTorch or another one. `forward` is the truth, written in that
    library's own operations and differentiated by it in float64. The samples are drawn from `domain`. `small`
    is the small case of a text, whose numbers a student can follow. If the gradient is chosen, `pullback` is
    the truth about it, in native PyTorch: from the lists of arguments and of cotangents to a gradient (or
    None) for each argument. `lookalikes` are wrong pullbacks: a wrong gradient that equals one of them in
    every sample gets its name. `other_forwards` maps a sentence about a known mistake in forward to what that
    mistake computes. If the mistake amounts to differentiating another function, `gradient_of`
    makes the pullback of that function. `terms` are the terms whose sum is the true gradient, by their names
    in a sentence: a wrong gradient that is another combination of them is named by them. Arguments for which
    they give None have no terms. Backward may be declared once differentiable, unless `second_order_asked`.
    With `computes_once`, neither backward nor its derivative may compute a function such as exp or a root,
    nor depend on the values of the inputs: they must use the values that forward kept. `dtypes` are those of
    the tensors: first the one for arrays of float64, then "float32" if it is tried, too. `tolerance` bounds
    the error of outputs and gradients, relative to the largest entry, and `second_order_tolerance` that of
    second derivatives. gradcheck needs all digits, and runs only if both have the strictest value.
    `vmap_rule` is the batching rule that is asked for. `may_use` contains "autograd" if backward may call
    native autograd.

    `harmless` has the ids of mistakes that are warnings: they leave the derivatives right.

    If samples are not drawn, `samples` has them: for each sample its arguments, the truth about it, and other
    arguments of the same shapes. The last one is the small case.

    `modifies` names the parameters that forward must modify in place. For the check "memory", `keeps` names
    the parameters (and "output") that the node may hold until backward, and `saves_at_most` returns the
    number of further bytes that it may hold, 0 by default. `lets_none_through` asks for
    set_materialize_grads(False). If forward draws at random, `observe` returns the truth's arguments from
    those of apply and from the outputs of the student's forward.
    """

    domain: Domain
    forward: Callable[..., Any]
    small: Arguments
    library: Library = "torch"
    pullback: PullbackOf | None = None
    lookalikes: Sequence[Lookalike] = ()
    other_forwards: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    terms: Mapping[str, PullbackOf] = field(default_factory=dict)
    further_outputs: bool = False
    all_outputs_graded: bool = False
    modifies: tuple[str, ...] = ()
    keeps: tuple[str, ...] | None = None
    saves_at_most: Callable[[Sequence[Argument]], int] | None = None
    lets_none_through: bool = False
    observe: Observe | None = None
    second_order_asked: bool = False
    computes_once: bool = False
    dtypes: tuple[str, ...] = ("float64", "float32")
    tolerance: float = RELATIVE
    second_order_tolerance: float = RELATIVE
    vmap_rule: Literal["generated", "own", "any"] = "any"
    samples: Sequence[tuple[Arguments, Truth, Arguments]] | None = None
    harmless: frozenset[str] = frozenset()
    may_use: tuple[str, ...] = ()

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return the names of the arguments."""
        return self.domain.names

    @property
    def by_gradcheck(self) -> bool:
        """Return whether gradcheck applies: to the derivative of forward itself, computed to all digits.

        A fixed sample may be a point at which a finite difference fails.
        """
        exact = max(self.tolerance, self.second_order_tolerance) <= RELATIVE
        return exact and self.pullback is None and self.samples is None
