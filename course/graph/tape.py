"""The interface of a tape for the recorder, implemented for the engine and for PyTorch.

Tensors and the nodes of the tape ("functions") are opaque here: only their own tape looks into them.
"""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from course.graph.model import Rule, Value

FREED = "an earlier backward() freed this graph: record it first, or call backward(retain_graph=True)"
CHANGED = "a tensor saved for backward was changed in place after it was saved"

DIGITS = 17  # which write any float64

Gradients = tuple[Value | None, ...]


@dataclass(frozen=True)
class Firing:
    """One call of a function in the backward pass: the products it returned, the adjoints it received."""

    function: Any
    products: Gradients
    adjoints: Gradients
    returned: tuple[bool, ...] = ()  # a custom Function's backward, argument by argument: a tensor or None?


@dataclass(frozen=True)
class Sweep:
    """An observed backward pass: the functions in the order of their calls, and the adjoints at the ends."""

    seed: Value
    firings: tuple[Firing, ...]
    ends: Gradients


class UnusableError(Exception):
    """The tape can no longer be swept; the message is a clause with the reason."""


def unusable(error: RuntimeError) -> Exception:
    """Convert a framework's error about a tape that can no longer be used into an UnusableError."""
    if "second time" in str(error):
        return UnusableError(FREED)
    return UnusableError(CHANGED) if "modified by an inplace operation" in str(error) else error


@contextmanager
def returned_by(kinds: Iterable[type]) -> Iterator[dict[Any, tuple[bool, ...]]]:
    """Note, for each ctx, where the backward of these Function classes returns a tensor and where None.

    The tapes drop what is returned for an argument without an edge, so only the call itself can be observed.
    Each class gets its own `backward` back.
    """
    found: dict[Any, tuple[bool, ...]] = {}
    changed: list[tuple[Any, Any]] = []

    def observed(backward: Any) -> Any:
        @functools.wraps(backward)
        def wrapper(ctx: Any, *gradients: Any) -> Any:
            given = backward(ctx, *gradients)
            found[ctx] = tuple(each is not None for each in (given if isinstance(given, tuple) else (given,)))
            return given

        return staticmethod(wrapper)

    try:
        for kind in {kind for kind in kinds if isinstance(vars(kind).get("backward"), staticmethod)}:
            changed.append((kind, vars(kind)["backward"]))
            kind.backward = observed(kind.backward)  # type: ignore[attr-defined]
        yield found
    finally:
        for kind, backward in changed:
            kind.backward = backward


def shortest(x: float, fits: Callable[[float], Any]) -> float:
    """Return the number near x with the fewest digits that fits: the one that was typed, not its rounding."""
    candidates = (float(f"{x:.{digits}g}") for digits in range(1, DIGITS + 1))
    return next((each for each in candidates if fits(each)), x)


class Tape(Protocol):
    """A recorded computation as its framework keeps it."""

    source: Literal["engine", "torch", "values"]

    def is_tensor(self, thing: Any) -> bool:
        """Tell whether `thing` is a tensor of this framework."""

    def parameters(self, thing: Any) -> Iterable[tuple[str, Any]]:
        """List the named parameters of a module; nothing for anything else."""

    def living(self) -> list[Any]:
        """List tensors that the program still holds, whatever holds them."""

    def origin(self, tensor: Any) -> tuple[Any, int] | None:
        """Give the function that made a tensor (a leaf's own, for a leaf) and which result it is."""

    def operands(self, function: Any) -> Sequence[tuple[Any, int]]:
        """Give the function that made each operand, and which result it is; (None, 0) for constants."""

    def leaf(self, function: Any) -> Any:
        """Give the leaf that a function accumulates into; None for an operation."""

    def operation(self, function: Any) -> str:
        """Name the operation, as a reader would: "mul", "sin", a custom Function's own name."""

    def custom(self, function: Any) -> bool:
        """Tell whether the user wrote the Function."""

    def number(self, function: Any) -> int:
        """Give an operation's place in the order in which functions were made."""

    def needs_grad(self, function: Any) -> tuple[bool, ...] | None:
        """Give a custom Function's ctx.needs_input_grad; None for a native operation."""

    def shapes(self, function: Any) -> Sequence[tuple[int, ...] | None]:
        """Give the shape of each result that a gradient can come back for."""

    def saved(self, function: Any) -> Sequence[tuple[str, Any]]:
        """List what was saved for backward, tensors only; UnusableError if it is gone."""

    def context(self, function: Any) -> Sequence[tuple[str, str]]:
        """List what else is stored for backward, as (name, repr)."""

    def value(self, tensor: Any) -> Value:
        """Describe a tensor."""

    def kept(self, function: Any) -> Value | None:
        """Give the operation's result where its node keeps it; PyTorch's nodes do not."""

    def sweep(self, output: Any, ends: Sequence[Any], functions: Sequence[Any], held: Iterable[Any]) -> Sweep:
        """Observe a backward pass from ones, which leaves no trace on the tensors `held`."""

    def local(self, function: Any) -> Gradients:
        """Run one function's backward alone, on an adjoint of one."""

    def rule(
        self, function: Any, operands: Mapping[int, str], tensors: Mapping[int, Any], known: Iterable[Any]
    ) -> Rule | None:
        """Describe how the result is computed from operands with these ids; None where that is not known.

        `tensors` has the operands by position, and the result at −1, as far as there are tensors for them;
        `known` are all tensors of the graph.
        """
