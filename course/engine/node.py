"""Nodes, the operations that took place, and the edges between them: the graph that a computation leaves."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from course.engine.values import NUMBER, dtype_of, settle, unbroadcast

tick = itertools.count(1).__next__  # one clock for all: what is made later has the larger number
DRAWABLE = 16  # entries: nodes keep outputs up to this size, for pictures


class Mode:
    """Whether operations on Tensors are being recorded."""

    __slots__ = ("recording",)

    def __init__(self) -> None:
        self.recording = True


mode = Mode()


@contextmanager
def recording(on: bool) -> Iterator[None]:
    """Switch the recording of operations on or off inside a `with` block."""
    before = mode.recording
    mode.recording = on
    try:
        yield
    finally:
        mode.recording = before


def no_grad() -> Any:
    """Leave recording out: what is computed inside a `with` block requires no gradient."""
    return recording(False)


class Node:
    """An operation that took place: what its backward needs, and edges to the nodes that made its inputs.

    `edges` holds one node (or None, where no gradient is wanted) for each Tensor given, in order.
    `saved` holds plain values, () for none and None once a backward pass has freed them.
    `adjoint` is None but during a backward pass. `value` is the output where it is a number or a small
    array, else None: a node must not keep large arrays alive only to have them looked at. `like` is the
    output's shape and dtype, which its gradient must have.
    """

    __slots__ = ("adjoint", "edges", "hooks", "like", "number", "saved", "value")

    edges: tuple[Node | None, ...]
    saved: tuple[Any, ...] | None
    adjoint: Any
    number: int
    value: Any
    like: tuple[tuple[int, ...], np.dtype[Any]]
    hooks: Hooks | None

    @property
    def shape(self) -> tuple[int, ...]:
        """The output's shape."""
        return self.like[0]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The output's dtype."""
        return self.like[1]

    def vjp(self, cotangent: Any, saved: tuple[Any, ...]) -> Any:
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

    def output(self, value: Any) -> None:
        """Take note of the value that came out."""
        if type(value) is float:
            self.value, self.like = value, NUMBER
        else:
            self.value = value if value.size <= DRAWABLE else None
            self.like = value.shape, value.dtype

    def look(self) -> None:
        """Take note that a backward pass will come here."""

    def fit(self, gradient: Any) -> Any:
        """Bring a gradient to the output's shape and dtype, as PyTorch does."""
        shape, dtype = self.like
        gradient = unbroadcast(gradient, shape)
        if dtype_of(gradient) != dtype:
            gradient = gradient.astype(dtype)
        return gradient if mode.recording else settle(gradient)

    def register_hook(self, hook: Callable[[Any, Any], Any]) -> Handle:
        """Have `hook(grad_inputs, grad_outputs)` called after this node's backward.

        A tuple that it returns takes the place of grad_inputs.
        """
        return Handle(self.own_hooks().after, hook)

    def own_hooks(self) -> Hooks:
        """Return the node's hooks, making a place for them if it has none."""
        if self.hooks is None:
            self.hooks = Hooks()
        return self.hooks


FREED = (
    "Trying to backward through the graph a second time, but what it saved was freed by the first pass. "
    "Say retain_graph=True in the first backward() or grad() if you need a second."
)


class Hooks:
    """Functions to call before and after a node's backward, in order of registration."""

    __slots__ = ("after", "before", "retain")

    def __init__(self) -> None:
        self.before: dict[int, Callable[[Any], Any]] = {}
        self.after: dict[int, Callable[[Any, Any], Any]] = {}
        self.retain: Callable[[], Any] | None = None  # a weak reference to the Tensor whose `.grad` to fill


class Handle:
    """What registering a hook returns: `remove()` takes the hook away again."""

    def __init__(self, hooks: dict[int, Any], hook: Any) -> None:
        self.hooks, self.key = hooks, tick()
        hooks[self.key] = hook

    def remove(self) -> None:
        """Take the hook away; doing so twice is harmless."""
        self.hooks.pop(self.key, None)
