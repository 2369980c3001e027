"""What a recorder must be able to ask of a tape: written once for the engine and once for PyTorch.

Tensors and the nodes of the tape ("functions") are opaque here: only the tape that they belong to opens them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from course.graph.model import Value

FREED = "an earlier backward() freed this graph: record it before, or call backward(retain_graph=True)"
CHANGED = "a tensor saved for backward was changed in place after it was saved"

Gradients = tuple[Value | None, ...]


@dataclass(frozen=True)
class Firing:
    """A function's turn in the backward pass: what it returned for its operands, what it was given."""

    function: Any
    products: Gradients
    adjoints: Gradients


@dataclass(frozen=True)
class Sweep:
    """A backward pass that was observed: the functions in the order in which they ran, the ends' adjoints."""

    seed: Value
    firings: tuple[Firing, ...]
    ends: Gradients


class UnusableError(Exception):
    """The tape cannot be swept any more; the message says why, in one clause."""


def unusable(error: RuntimeError) -> Exception:
    """Turn what a framework says of a tape that cannot be used any more into an UnusableError."""
    if "second time" in str(error):
        return UnusableError(FREED)
    return UnusableError(CHANGED) if "modified by an inplace operation" in str(error) else error


class Tape(Protocol):
    """A recorded computation as its framework keeps it."""

    source: Literal["engine", "torch"]

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
