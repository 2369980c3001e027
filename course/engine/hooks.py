"""What hooks see of a backward pass, and what they change in it."""

from __future__ import annotations

from typing import Any

from course.engine.node import Node, mode
from course.engine.tensor import Tensor, attach


def tensor_of(adjoint: Any) -> Any:
    """Show an adjoint to a hook, as a Tensor."""
    return adjoint if adjoint is None or isinstance(adjoint, Tensor) else attach(adjoint)


def adjoint_of(tensor: Any) -> Any:
    """Take an adjoint from a Tensor: the Tensor itself where the pass is recorded, else its data."""
    return tensor if tensor is None or mode.recording else tensor.data


def call_before(node: Node, adjoint: Any) -> Any:
    """Call the hooks of the node's output and fill its Tensor's `.grad` if it asked for that."""
    assert node.hooks is not None
    for hook in tuple(node.hooks.before.values()):
        changed = hook(tensor_of(adjoint))
        adjoint = adjoint if changed is None else node.fit(adjoint_of(changed))
    tensor = node.hooks.retain and node.hooks.retain()
    if tensor:
        gradient = tensor_of(adjoint)
        tensor.grad = gradient if tensor.grad is None else tensor.grad + gradient
    return adjoint


def call_after(node: Node, gradients: tuple[Any, ...], adjoint: Any) -> tuple[Any, ...]:
    """Call the node's own hooks with the gradients it gave and those it was given."""
    assert node.hooks is not None
    outputs = tuple(tensor_of(g) for g in (adjoint if isinstance(adjoint, tuple) else (adjoint,)))
    for hook in tuple(node.hooks.after.values()):
        changed = hook(tuple(tensor_of(g) for g in gradients), outputs)
        if changed is not None:
            gradients = tuple(adjoint_of(g) for g in (changed if isinstance(changed, tuple) else (changed,)))
    return gradients
