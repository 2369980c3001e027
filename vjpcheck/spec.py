"""The specification of a Function: plain data about what it must compute, and where it is tried."""

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
# from the list of arguments and that of cotangents to a gradient (or None) for each argument
PullbackOf = Callable[[Sequence[Any], Sequence[Any]], Sequence["Tensor | None"]]


class Lookalike(NamedTuple):
    """A wrong pullback: the id of the mistake, the gradients that it gives, and a sentence about them.

    Where the pullback gives None, it says nothing about that argument.
    """

    mistake: str
    pullback: PullbackOf
    sentence: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Spec:
    """What a Function must compute, and on which inputs it is tried.

    `library` says whose Function is asked for: PyTorch's or another one's. `forward` is the truth, written in
    that library's own operations and differentiated by it in float64. The samples are drawn from `domain`.
    `small` is the small case of a text, whose numbers a student can follow.
    Where the gradient is chosen by hand, `pullback` is the truth about it: from the list of arguments and
    that of cotangents to a gradient (or None) for each argument, in native PyTorch.
    `lookalikes` are wrong pullbacks: a wrong gradient that equals one of them in every sample gets its name.
    Where the mistake amounts to differentiating another function, `gradient_of` makes one of that function.
    `terms` are the terms of which the true gradient is the sum, by their names in a sentence; a wrong
    gradient that is another combination of them is told so. Arguments for which they give None have no terms.
    Second derivatives may be declared missing, unless `second_order_asked`. With `computes_once` neither
    backward nor its derivative may compute a function such as exp or a root, nor depend on the values of the
    inputs: they work with what forward has kept. `tolerance` says how far outputs
    and gradients may be off, relative to the largest entry, and `second_order_tolerance` the same of second
    derivatives; gradcheck needs every digit, and is asked only where both are as strict as can be.
    `vmap_rule` says which rule of batching is asked for. `may_use` has "autograd" where backward may call
    native autograd.

    Where samples are not drawn, `samples` are they: for each its arguments, the truth about it, and other
    arguments of the same shapes; the last one is the small case.

    What forward may and must do besides: `modifies` names the parameters that it must change in place;
    `keeps` the parameters (and "output") that the node may hold until backward free of charge, and
    `saves_at_most` the bytes that it may hold beyond them (none, unless given), both for the check "memory";
    `lets_none_through` asks for set_materialize_grads(False). Where forward draws at random, `observe` gives
    the truth's arguments from those of apply and from the outputs that the student's forward gave for them.
    """

    domain: Domain
    forward: Callable[..., Any]
    small: Arguments
    library: Library = "torch"
    pullback: PullbackOf | None = None
    lookalikes: Sequence[Lookalike] = ()
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
    tolerance: float = RELATIVE
    second_order_tolerance: float = RELATIVE
    vmap_rule: Literal["generated", "own", "any"] = "any"
    samples: Sequence[tuple[Arguments, Truth, Arguments]] | None = None
    may_use: tuple[str, ...] = ()

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return the names of the arguments."""
        return self.domain.names

    @property
    def by_gradcheck(self) -> bool:
        """Return whether gradcheck applies: to the derivative of forward itself, computed to all digits.

        A point that is given may be one where a difference says nothing.
        """
        exact = max(self.tolerance, self.second_order_tolerance) <= RELATIVE
        return exact and self.pullback is None and self.samples is None
