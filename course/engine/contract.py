"""What a Function must keep to, and what it is told if it does not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from course.engine.tensor import Tensor
from course.engine.values import broadcasts


def identities(values: Iterable[Any]) -> set[int]:
    """Return what tells the Tensors among some values apart; == would compare their entries."""
    return {id(x) for x in values if isinstance(x, Tensor)}


def check_saved(tensors: tuple[Any, ...]) -> None:
    """Raise TypeError if something else than Tensors and None was given to save_for_backward."""
    for i, x in enumerate(tensors):
        if x is not None and not isinstance(x, Tensor):
            raise TypeError(
                f"save_for_backward takes Tensors only, and argument {i} is of type {type(x).__name__}: "
                "keep it as an attribute of ctx"
            )


def check_outputs(ctx: Any, args: tuple[Any, ...], outputs: tuple[Any, ...]) -> None:
    """Raise TypeError for outputs that are not Tensors, RuntimeError for dirty ones that are not outputs."""
    for i, y in enumerate(outputs):
        if not isinstance(y, Tensor):
            raise TypeError(
                f"{type(ctx).__name__}.forward must return Tensors, and its output {i} is {type(y).__name__}"
            )
    dirty = identities(ctx._dirty)
    if not dirty <= identities(args) or not dirty <= identities(outputs):
        raise RuntimeError("what is given to mark_dirty must be an input, changed in place, and be returned")


def check_gradients(ctx: Any, returned: Any) -> tuple[Tensor | None, ...]:
    """Return the gradients for the Tensors among the arguments of apply.

    Raises RuntimeError, as PyTorch does, for a wrong number of them, a gradient where there was no Tensor, a
    wrong shape, and what is not a Tensor.
    """
    returned = returned if isinstance(returned, tuple) else (returned,)
    expected = len(ctx.needs_input_grad)
    surplus = returned[expected:]
    if len(returned) < expected or any(g is not None for g in surplus):
        raise RuntimeError(
            f"{ctx.name()} returned an incorrect number of gradients (expected {expected}, "
            f"got {len(returned)}): one for each argument of apply, None for those that are not Tensors"
        )
    for i, g in enumerate(returned[:expected]):
        if g is not None and i not in ctx.places:
            raise RuntimeError(
                f"{ctx.name()} returned a gradient different from None at position {i}, "
                "but the corresponding argument was not a Tensor"
            )
        if g is not None and not isinstance(g, Tensor):
            raise RuntimeError(f"{ctx.name()} must return Tensors or None, and {i} is {type(g).__name__}")
    gradients = tuple(returned[i] for i in ctx.places)
    for i, edge, g in zip(ctx.places, ctx.edges, gradients, strict=True):
        if edge is not None and g is not None and not broadcasts(edge.shape, g.shape):
            raise RuntimeError(
                f"{ctx.name()} returned an invalid gradient at position {i}: "
                f"got {g.shape}, but expected a shape compatible with {edge.shape}"
            )
    return gradients
