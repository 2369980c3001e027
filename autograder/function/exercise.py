"""A Function exercise as data: the forward in native PyTorch, sample inputs, the contract asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import Exercise
from autograder.function.arguments import Argument, Arguments
from autograder.result import Finding, Outcome

if TYPE_CHECKING:
    from torch import Tensor

    from autograder.function.case import Case
    from autograder.function.probe import FunctionProbe
    from autograder.function.truth import Truth

ExtraCheck = Callable[["Case"], Iterator[Finding]]
# from the list of arguments and that of cotangents to a gradient (or None) for each argument
PullbackOf = Callable[[Sequence[Any], Sequence[Any]], Sequence["Tensor | None"]]


# Two formulas for one derivative agree to some 1e-13 in float64; a wrong one is off by far more than this.
RELATIVE = 1e-7


@dataclass(frozen=True, kw_only=True)
class FunctionExercise(Exercise):
    """What a Function must compute, and on which inputs it is tried.

    `forward` is the truth: autograd differentiates it in float64. `samples` draws argument tuples from a
    generator, other ones at each call: both sides of every branch, never on a kink, no two sizes equal. A
    tuple may be shorter than the signature where an argument may be left out.
    Where the gradient is chosen by hand, `pullback` is the truth about it: from the list of arguments and
    that of cotangents to a gradient (or None) for each argument, in native PyTorch.
    `lookalikes` are wrong pullbacks, by the id of the mistake that gives exactly these gradients: a wrong
    gradient that equals one of them in every sample gets that name. None says nothing about an argument.
    Where the mistake amounts to differentiating another function, `gradient_of` makes one of that function.
    Second derivatives may be declared missing, unless `second_order_asked`. `tolerance` says how far outputs
    and gradients may be off, relative to the largest entry, and `second_order_tolerance` the same of second
    derivatives; gradcheck needs every digit, and is asked only where both are as strict as can be.
    `extra` are checks beyond those in `autograder.function.verdict`, by the name that `points` gives them.

    What forward may and must do besides: `modifies` names the parameters that it must change in place;
    `keeps` the parameters (and "output") that the node may hold until backward free of charge, and
    `saves_at_most` the bytes that it may hold beyond them (none, unless given), both for the check "memory";
    `lets_none_through` asks for set_materialize_grads(False). Where forward draws at random, `observe` gives
    the truth's arguments from those of apply and from the outputs that the student's forward gave for them.
    """

    parameters: tuple[str, ...]
    forward: Callable[..., Tensor | tuple[Tensor, ...]]
    samples: Callable[[np.random.Generator], Sequence[Arguments]]
    pullback: PullbackOf | None = None
    lookalikes: Mapping[str, Sequence[PullbackOf]] = field(default_factory=dict)
    further_outputs: bool = False
    modifies: tuple[str, ...] = ()
    keeps: tuple[str, ...] | None = None
    saves_at_most: Callable[[Sequence[Argument]], int] | None = None
    lets_none_through: bool = False
    observe: Callable[[Arguments, Sequence[np.ndarray]], Arguments] | None = None
    second_order_asked: bool = False
    tolerance: float = RELATIVE
    second_order_tolerance: float = RELATIVE
    extra: Mapping[str, ExtraCheck] = field(default_factory=dict)

    @property
    def by_gradcheck(self) -> bool:
        """Return whether gradcheck applies: to the derivative of forward itself, computed to all digits."""
        return self.pullback is None and self.tolerance == self.second_order_tolerance == RELATIVE

    @property
    def object_name(self) -> str:
        """Return the class name: `kill_head` is handed in as `KillHead`."""
        return "".join(word.capitalize() for word in self.id.split("_"))

    def probe(self, work: Any) -> FunctionProbe:
        """Return a probe of a Function class; raises CannotRun for anything else."""
        from autograder.function.probe import FunctionProbe

        return FunctionProbe(work, self.object_name, [self.parameters.index(name) for name in self.modifies])

    def truth(self, arguments: Arguments) -> Truth:
        """Return the truth at these arguments."""
        from autograder.function.truth import Truth

        return Truth(self, arguments)

    @contextmanager
    def grad_mode(self) -> Iterator[None]:
        """Record operations: a notebook in which a student has turned that off is judged like any other."""
        import torch

        with torch.inference_mode(False), torch.enable_grad():
            yield

    def judge(self, probe: FunctionProbe, seed: int) -> Iterator[Outcome]:
        """Yield the outcome of every check."""
        from autograder.function.verdict import judge

        return judge(self, probe, seed)
