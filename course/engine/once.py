"""`once_differentiable`: for a backward that is not made of differentiable operations."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn

from course.engine.node import Node, mode, recording, tick
from course.engine.tensor import Tensor, attach


class OnceDifferentiable(Node):
    """What stands behind the gradients of a once differentiable backward: whoever comes here is told so."""

    __slots__ = ()

    def __init__(self, edges: tuple[Node | None, ...], value: Any) -> None:
        self.edges, self.saved, self.number = edges, (), tick()
        self.adjoint = self.hooks = None
        self.output(value)

    def vjp(self, cotangent: Any, saved: Any) -> NoReturn:
        """Refuse."""
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Declare that a backward is not differentiable: asking for a second derivative raises RuntimeError."""

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grad_outputs: Any) -> Any:
        with recording(False):
            returned = backward(ctx, *grad_outputs)
        if not mode.recording:
            return returned
        grads = returned if isinstance(returned, tuple) else (returned,)
        edges = (*ctx.edges, *(g.node for g in grad_outputs if g is not None))
        return tuple(
            attach(g.data, OnceDifferentiable(edges, g.data)) if isinstance(g, Tensor) else g for g in grads
        )

    return wrapper
