"""Defines the interface to the library of a Function that the probe and the truth need.

Only the two adapters, `torch_backend` and the engine's `backend`, look into tensors, nodes of the graph and
ctx. All other modules treat them as opaque.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from vjpcheck.arguments import Argument
    from vjpcheck.ask.answers import HigherPullback, Layout

Memory = tuple[int, int]  # the address of a piece of memory, and its number of bytes


class Backend(Protocol):
    """A library with a `Function` to subclass: PyTorch, or the course's engine."""

    name: str  # the full name of the class to subclass
    function_class: type[Any]
    context_class: type[Any]  # the class of ctx in forward
    tensor_class: type[Any]
    inputs_may_be_returned: bool  # whether forward may return an argument unchanged
    only_tensors: bool  # whether anything else among the outputs is refused

    # tensors and arrays

    def argument(self, value: Argument, requires_grad: bool = False) -> Any:
        """Return the value to pass to apply for an argument; for an array a new leaf."""

    def laid_out(self, value: Any, layout: Layout) -> Any:
        """Return a leaf with the same values in this memory layout; any other value as it is."""

    def array(self, tensor: Any) -> np.ndarray:
        """Return a copy of a tensor's values."""

    def write(self, tensor: Any, array: np.ndarray) -> None:
        """Write other values into a leaf, as an optimiser does."""

    def version(self, tensor: Any) -> int:
        """Return the number of in-place changes of a tensor that the library has counted."""

    def is_view(self, tensor: Any) -> bool:
        """Return whether the library knows that a tensor is a view of another one."""

    def memory(self, value: Any) -> Memory | None:
        """Return the memory that holds a value's data; None for a value without such memory."""

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
        """Return the gradient for each input in a backward pass in which no output has a cotangent."""

    # a Function, its nodes and its ctx

    def apply(self, work: type[Any], *arguments: Any) -> Any:
        """Call a Function by the library's own apply, even if the class overrides it."""

    def backward_name(self, work: type[Any]) -> str:
        """Return the name of a Function's backward method."""

    def function_of(self, node: Any) -> type[Any] | None:
        """Return the Function whose call made a node, None for a native operation."""

    def attributes(self, node: Any) -> dict[str, Any]:
        """Return the attributes that forward set on the ctx of a Function's node."""

    def is_error_node(self, node: Any) -> bool:
        """Return whether a node is the one that `once_differentiable` puts behind a gradient."""

    def observe_context(
        self,
        work: type[Any],
        on_save: Callable[[], None],
        on_mark_dirty: Callable[[Sequence[Any]], None],
        all_needed: Callable[[], bool],
    ) -> None:
        """Report the calls of ctx's methods in forward; if `all_needed`, let needs_input_grad be all true."""

    # observing the student's lines

    def captured(self, arguments: Sequence[Any]) -> AbstractContextManager[list[Any]]:
        """Collect tensors that require grad and that the block uses without having received them."""

    def nothing_detached(self, answer: HigherPullback) -> AbstractContextManager[None]:
        """Let no call in the block detach a tensor, and record in the answer the calls that would."""

    def inputs_moved(self, inputs: Sequence[Any]) -> AbstractContextManager[None]:
        """Let backward read these inputs, if the block saves them, with values moved by a small step."""

    def functions_called(self, names: list[str]) -> AbstractContextManager[None]:
        """Record the elementary functions, such as exp, that the block computes."""

    def flops(self) -> AbstractContextManager[Callable[[], int]]:
        """Count the operations on numbers in the block's matrix products, convolutions and sums."""

    def autograd_in_code(self, work: type[Any]) -> str:
        """Return a name of native autograd in the code of a Function, or ''."""

    def watching(
        self, lines: list[str], lists: list[str], inputs: Sequence[Any] = ()
    ) -> AbstractContextManager[None]:
        """Add to `lines` the student's lines of the block that call native autograd.

        Those that take a complex step of one of these inputs are added, too. Add to `lists` the lines that
        call apply of a Function with tensors in a list.
        """

    def transform(
        self, name: str, function: Callable[[Any], Any], point: Sequence[np.ndarray], layout: Layout = ""
    ) -> np.ndarray:
        """Return the result of a transform of the first output; raises KeyError for an unknown transform."""

    def tangents(
        self, function: Callable[..., Any], tensors: Sequence[Any], directions: Sequence[Any]
    ) -> list[np.ndarray | None]:
        """Return the tangents of a function's outputs; raises NotImplementedError without forward mode."""
