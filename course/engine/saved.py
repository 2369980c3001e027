"""What nodes save for their backward, and how they notice that it was changed in the meantime."""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple

import numpy as np

from course.engine.node import Node, mode, recording, tick
from course.engine.tensor import AccumulateGrad, Tensor, attach, handed

FREED = (
    "Trying to backward through the graph a second time, but what it saved was freed by the first pass. "
    "Say retain_graph=True in the first backward() or grad() if you need a second."
)


class Change(NamedTuple):
    """The last change of an array in place: when, by the nodes' clock, and the array's version since."""

    when: int
    version: int
    array: weakref.ref[Any]


changes: dict[int, Change] = {}  # by id of the array that owns the memory; empty unless something was changed


def owner(value: Any) -> Any:
    """Return the array whose memory a view shows; other values as they are."""
    while isinstance(getattr(value, "base", None), np.ndarray):
        value = value.base
    return value


def changed(value: Any) -> None:
    """Take note that an array was changed in place. Floats cannot be."""
    if isinstance(value, np.ndarray):
        key = id(owner(value))
        forget = weakref.ref(owner(value), lambda _: changes.pop(key, None))
        changes[key] = Change(tick(), version(value) + 1, forget)


def version(value: Any) -> int:
    """Return how often a value was changed in place."""
    change = changes.get(id(owner(value)))
    return change.version if change else 0


def check_unchanged(node: Node) -> None:
    """Raise RuntimeError if an array was changed in place after the node had saved it."""
    for value in node.saved or ():
        if version(value) and changes[id(owner(value))].when > node.number:
            raise RuntimeError(
                "one of the variables needed for gradient computation has been modified by an inplace "
                f"operation: an array of shape {value.shape} that {node.name()} saved is at version "
                f"{version(value)} now. "
                "Compute a new Tensor instead of changing this one, or change it before it is used"
            )


def refuse_leaf(x: Tensor) -> None:
    """Raise RuntimeError for a leaf whose gradient is wanted: with its value gone, so would the leaf be."""
    if mode.recording and isinstance(x.node, AccumulateGrad):
        raise RuntimeError(
            "a leaf that requires a gradient is being used in an in-place operation: "
            "do it inside no_grad(), or on a Tensor computed from the leaf"
        )


class SavingNode(Node):
    """A node that keeps values for its backward."""

    __slots__ = ()

    def sources(self) -> tuple[Node | None, ...]:
        """Return, for each saved value, the node that made it; None for a constant."""
        raise NotImplementedError

    def kept(self) -> tuple[Any, ...]:
        """Return what was saved, plain. Raises RuntimeError if it was freed, or changed in place."""
        if self.saved is None:
            raise RuntimeError(FREED)
        if changes:
            check_unchanged(self)
        return self.saved

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What was saved for backward, as Tensors that know where they came from.

        Raises RuntimeError when a backward pass has freed it, or when it was changed in place.
        """
        pairs = zip(self.kept(), self.sources(), strict=True)
        return tuple([None if value is None else attach(value, node) for value, node in pairs])

    def __call__(self, *gradients: Tensor | None) -> tuple[Tensor | None, ...]:
        """Run this node's backward alone: from the gradients of its outputs to those of its operands.

        As with PyTorch's nodes, nothing is freed and no other node runs. Always a tuple, one for each edge.
        Raises TypeError for a gradient that is neither a Tensor nor None.
        """
        with recording(False):
            values = handed(gradients)
            returned = self.vjp(values[0] if len(values) == 1 else values, self.kept())
            for edge in filter(None, self.edges):
                edge.look()
            pairs = zip(self.edges, returned, strict=True)
            return tuple(None if edge is None or g is None else attach(edge.fit(g)) for edge, g in pairs)
