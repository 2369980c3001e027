"""Nodes, the operations that took place, and the edges between them: the graph that a computation leaves."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from course.engine.values import dtype_of, settle, shape_of, unbroadcast

tick = itertools.count(1).__next__  # one clock for all: what is made later has the larger number
DRAWABLE = 16  # entries: nodes keep outputs up to this size, for pictures


class Mode:
    """Whether operations on Tensors are being recorded."""

    __slots__ = ("recording",)

    recording: bool


mode = Mode()
mode.recording = True


@contextmanager
def recording(on: bool) -> Iterator[None]:
    """Switch the recording of operations on or off inside a `with` block."""
    before, mode.recording = mode.recording, on
    try:
        yield
    finally:
        mode.recording = before


def no_grad() -> Any:
    """Leave recording out: what is computed inside a `with` block requires no gradient."""
    return recording(False)


def brief(value: Any) -> Any:
    """Return a number or a small array itself, else its shape and dtype.

    A node must not keep large arrays alive only to have them looked at.
    """
    return value if type(value) is float or value.size <= DRAWABLE else (value.shape, value.dtype)


class Node:
    """An operation that took place: what its backward needs, and edges to the nodes that made its inputs.

    `edges` holds one node (or None, where no gradient is wanted) for each Tensor given, in order.
    `saved` holds plain values, () for none and None once a backward pass has freed them.
    `adjoint` is None but during a backward pass. `output` is what came out, in brief.
    """

    __slots__ = ("adjoint", "edges", "hooks", "number", "output", "saved")

    def __init__(self, edges: tuple[Node | None, ...], saved: tuple[Any, ...], output: Any) -> None:
        self.edges: tuple[Node | None, ...] = edges
        self.saved: tuple[Any, ...] | None = saved
        self.adjoint: Any = None
        self.hooks: Hooks | None = None
        self.number = tick()
        self.output = output

    def look(self) -> None:
        """Take note that a backward pass will come here."""

    @property
    def value(self) -> Any:
        """The output, where it is a number or a small array, else None."""
        return None if type(self.output) is tuple else self.output

    @property
    def shape(self) -> tuple[int, ...]:
        """The output's shape, which its gradient must have."""
        return self.output[0] if type(self.output) is tuple else shape_of(self.output)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The output's dtype, which its gradient must have."""
        return self.output[1] if type(self.output) is tuple else dtype_of(self.output)

    def vjp(self, cotangent: Any, saved: Any) -> tuple[Any, ...]:
        """Give the vector-Jacobian product for each edge: Tensors if given Tensors, else plain values."""
        raise NotImplementedError

    def name(self) -> str:
        """Return the node's name as PyTorch would give it: `MulBackward` for Mul."""
        return f"{type(self).__name__}Backward"

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """The (node, number of its output) that made each Tensor given; (None, 0) for constants."""
        return tuple((None, 0) if edge is None else edge.source() for edge in self.edges)

    def source(self) -> tuple[Node, int]:
        """Return the node and the number of its output that an edge to here stands for."""
        return self, 0

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What was saved for backward, as Tensors that know where they came from: here, nothing."""
        return ()

    def fit(self, gradient: Any) -> Any:
        """Bring a gradient to the output's shape and dtype, as PyTorch does."""
        gradient = unbroadcast(gradient, self.shape)
        if dtype_of(gradient) != self.dtype:
            gradient = gradient.astype(self.dtype)
        return gradient if mode.recording else settle(gradient)

    def own_hooks(self) -> Hooks:
        """Return the node's hooks, making a place for them if it has none."""
        self.hooks = self.hooks or Hooks()
        return self.hooks

    def register_hook(self, hook: Callable[[Any, Any], Any]) -> Handle:
        """Have `hook(grad_inputs, grad_outputs)` called after this node's backward.

        A tuple that it returns takes the place of grad_inputs.
        """
        return Handle(self.own_hooks().after, hook)


class Hooks:
    """Functions to call before and after a node's backward, in order of registration."""

    def __init__(self) -> None:
        self.before: dict[int, Callable[[Any], Any]] = {}
        self.after: dict[int, Callable[[Any, Any], Any]] = {}
        self.retain: Callable[[], Any] = lambda: None  # finds the Tensor whose `.grad` to fill


class Handle:
    """What registering a hook returns: `remove()` takes the hook away again."""

    def __init__(self, hooks: dict[int, Any], hook: Any) -> None:
        self.hooks, self.key = hooks, tick()
        hooks[self.key] = hook

    def remove(self) -> None:
        """Take the hook away; doing so twice is harmless."""
        self.hooks.pop(self.key, None)
