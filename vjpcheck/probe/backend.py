"""What the probe and the truth need of the library that a Function is written for.

Tensors, nodes of the graph and ctx are opaque everywhere else: only the two adapters, `torch_backend` and
`engine_backend`, look into them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from vjpcheck.arguments import Argument
    from vjpcheck.ask.answers import HigherPullback, Layout

Memory = tuple[int, int]  # where a piece of memory starts, and how many bytes it has


class Backend(Protocol):
    """A library with a `Function` to subclass: PyTorch, or the course's engine."""

    name: str  # of the class to subclass, in full
    function_class: type[Any]
    context_class: type[Any]  # of ctx in forward
    tensor_class: type[Any]
    inputs_may_be_returned: bool  # whether forward may return an argument as it is

    # tensors and arrays

    def argument(self, value: Argument, requires_grad: bool = False) -> Any:
        """Return what apply is given for an argument: for an array a fresh leaf."""

    def laid_out(self, value: Any, layout: Layout) -> Any:
        """Return a leaf with the same values that lies in memory as asked; anything else as it is."""

    def array(self, tensor: Any) -> np.ndarray:
        """Return a copy of a tensor's values."""

    def write(self, tensor: Any, array: np.ndarray) -> None:
        """Give a leaf other values, as an optimiser does."""

    def version(self, tensor: Any) -> int:
        """Return how often a tensor was changed in place, as far as the library counts it."""

    def memory(self, value: Any) -> Memory | None:
        """Return the memory that holds a value's data; None where it has none of its own."""

    def random_states(self, arguments: Sequence[Any]) -> dict[int, bytes]:
        """Return the state of each random generator among the arguments, by its position."""

    def draw(self, arguments: Sequence[Any]) -> None:
        """Draw from each random generator among the arguments, as other code does between two calls."""

    # differentiating

    def no_grad(self) -> AbstractContextManager[None]:
        """Record nothing inside a `with` block."""

    def grad(
        self,
        outputs: Sequence[Any],
        inputs: Sequence[Any],
        cotangents: Sequence[Any],
        create_graph: bool = False,
        retain_graph: bool | None = None,
    ) -> Sequence[Any]:
        """Return the gradient for each input, None where none arrives."""

    def grad_without_cotangents(self, outputs: Sequence[Any], inputs: Sequence[Any]) -> Sequence[Any]:
        """Return what arrives at each input in a backward pass in which no output has a cotangent."""

    # a Function, its nodes and its ctx

    def apply(self, work: type[Any], *arguments: Any) -> Any:
        """Call a Function by the library's own apply, whatever the class says."""

    def backward_name(self, work: type[Any]) -> str:
        """Return the name under which a Function has its backward."""

    def function_of(self, node: Any) -> type[Any] | None:
        """Return the Function whose call a node stands for, None for a native operation."""

    def attributes(self, node: Any) -> dict[str, Any]:
        """Return the dict that holds what forward has put on the ctx of a Function's node."""

    def is_error_node(self, node: Any) -> bool:
        """Return whether a node is the one that `once_differentiable` puts behind a gradient."""

    def observe_context(
        self,
        work: type[Any],
        on_save: Callable[[], None],
        on_mark_dirty: Callable[[Sequence[Any]], None],
        all_needed: Callable[[], bool],
    ) -> None:
        """Report what forward calls on ctx; where `all_needed`, let needs_input_grad be true throughout."""

    # what the student's lines do

    def captured(self, arguments: Sequence[Any]) -> AbstractContextManager[list[Any]]:
        """Collect tensors that require grad and that the block uses, though nobody gave them to it."""

    def nothing_detached(self, answer: HigherPullback) -> AbstractContextManager[None]:
        """Keep the graph whole in the block, and note in the answer which calls would have left it."""

    def inputs_moved(self, inputs: Sequence[Any]) -> AbstractContextManager[None]:
        """Let backward find these inputs moved by a small step, where the block saves them for it."""

    def functions_called(self, names: list[str]) -> AbstractContextManager[None]:
        """Note the functions of numbers, such as exp, that the block computes, beside plain arithmetic."""

    def flops(self) -> AbstractContextManager[Callable[[], int]]:
        """Count the operations on numbers in the block's matrix products, convolutions and sums."""

    def autograd_in_code(self, work: type[Any]) -> str:
        """Return a name of native autograd that the code of a Function mentions, or ''."""

    def watching(self, lines: list[str], lists: list[str]) -> AbstractContextManager[None]:
        """Add to `lines` the student's lines of the block that call native autograd.

        To `lists` are added those that call apply of a Function with tensors in a list.
        """

    def transform(
        self, name: str, function: Callable[[Any], Any], point: Sequence[np.ndarray], layout: Layout = ""
    ) -> np.ndarray:
        """Return what a transform makes of the first output; KeyError if there is no such transform."""

    def tangents(
        self, function: Callable[..., Any], tensors: Sequence[Any], directions: Sequence[Any]
    ) -> list[np.ndarray | None]:
        """Return the tangents of a function's outputs; NotImplementedError without a forward mode."""
