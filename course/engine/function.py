"""`Function`: your own operations, written as in PyTorch, with the same types of errors."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from course.engine.core import Node, Tensor, adjoint_of, attach, tensor_of
from course.engine.recording import mode, recording
from course.engine.values import is_floating, settle

OWN: Any = object()  # the origin of a saved output; a reference of a node to itself would be a cycle


class Context:
    """`ctx`: the object that forward and backward share. You may set any attribute; `vars` shows them."""

    __slots__ = ("__dict__", "_node", "_saved", "needs_input_grad")

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.needs_input_grad = tuple(isinstance(x, Tensor) and x.requires_grad for x in args)
        self._saved: tuple[Any, ...] = ()  # until the node takes the plain values
        self._node: Callable[[], FunctionNode | None] = lambda: None  # weak: the node owns its ctx

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Save Tensors for backward, which reads `ctx.saved_tensors`; anything else raises TypeError."""
        for i, x in enumerate(tensors):
            if x is not None and not isinstance(x, Tensor):
                kind = f"argument {i} is of type {type(x).__name__}: store it as an attribute of ctx"
                raise TypeError(f"save_for_backward takes Tensors only, but {kind}")
        self._saved = tensors

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """The saved Tensors, in backward; RuntimeError if they were freed."""
        node = self._node()
        return () if node is None else node.saved_tensors


class Function:
    """An operation defined by `forward` and `backward`; `.apply` computes and records it.

    A subclass defines the static methods `forward(ctx, *args)` and `backward(ctx, *grad_outputs)`. Instead of
    the first, it may define `forward(*args)` and `setup_context(ctx, inputs, output)`.
    """

    @staticmethod
    def forward(*args: Any) -> Any:
        """Compute the output from `ctx` and the arguments of apply; operations in here are not recorded."""
        raise NotImplementedError("write forward(ctx, *args) as a static method")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Store on ctx what backward needs, if forward has no ctx."""
        raise NotImplementedError

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Return the gradient for each argument of apply, and None for arguments that are not Tensors."""
        raise NotImplementedError("write backward(ctx, *grad_outputs) as a static method")

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Compute the output, and record a node if a gradient is needed; arguments may have any type.

        Raises TypeError if forward returns anything but Tensors.
        """
        ctx = Context(args)
        with recording(False):
            if cls.setup_context is Function.setup_context:
                output = cls.forward(ctx, *args)
            else:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
        outputs = output if isinstance(output, tuple) else (output,)
        for y in outputs:
            if not isinstance(y, Tensor):
                raise TypeError(f"{cls.__name__}.forward must return Tensors, not {type(y).__name__}")
        # a Tensor that forward received or found elsewhere keeps its own place in the graph
        own: Any = tuple(attach(y.data) if y.node or any(y is x for x in args) else y for y in outputs)
        saved, ctx._saved = ctx._saved, ()
        if mode.recording and any(ctx.needs_input_grad):
            for i, y in enumerate(own):
                y.node = FunctionNode(cls, ctx, args, saved, own, i) if is_floating(y.data) else None
            for y in own:
                if y.node:
                    y.node.origins = tuple(OWN if x is y else None if x is None else x.node for x in saved)
        return own if isinstance(output, tuple) else own[0]


class FunctionNode(Node):
    """The node of an output of a Function; the attributes of ctx can be read from it, as in PyTorch.

    Unlike in PyTorch, each of several outputs has its own node, and backward runs once for each used output,
    with zeros for the others. The sum is the same, because backward is linear in the cotangents.
    """

    __slots__ = ("__weakref__", "ctx", "index", "origins", "outputs", "places")

    def __init__(self, function: Any, ctx: Context, args: Any, saved: Any, outputs: Any, index: int) -> None:
        edges = {i: x.node for i, x in enumerate(args) if isinstance(x, Tensor)}
        plain = tuple(None if x is None else x.data for x in saved)
        super().__init__(function, tuple(edges.values()), plain, outputs[index].data)
        self.ctx, self.places, self.index = ctx, tuple(edges), index  # places: those arguments are Tensors
        self.outputs = [(y.shape, y.dtype) for y in outputs]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ctx, name)

    def sources(self) -> tuple[Node | None, ...]:
        """Return the nodes of the saved values."""
        return tuple(self if origin is OWN else origin for origin in self.origins)

    def vjp(self, g: Any) -> tuple[Any, ...]:
        """Call backward with Tensors, record it if the pass is recorded, and check what it returns."""
        self.ctx._node = weakref.ref(self)
        likes = enumerate(self.outputs)
        grads = [tensor_of(g) if i == self.index else attach(settle(np.zeros(*like))) for i, like in likes]
        returned = self.operation.backward(self.ctx, *grads)
        returned = returned if isinstance(returned, tuple) else (returned,)
        self.check(returned)
        return tuple(adjoint_of(returned[i]) for i in self.places)

    def check(self, returned: tuple[Any, ...]) -> None:
        """Raise RuntimeError, as PyTorch does, if the return value of backward is invalid.

        Invalid are a wrong number of gradients, a gradient for an argument that is not a Tensor, a wrong
        shape, and a gradient that is not a Tensor.
        """
        expected, edges = len(self.ctx.needs_input_grad), dict(zip(self.places, self.edges, strict=True))
        if len(returned) < expected or any(g is not None for g in returned[expected:]):
            number = f"(expected {expected}, got {len(returned)}): one for each argument of apply"
            raise RuntimeError(f"{self.name()} returned an incorrect number of gradients {number}")
        for i, g in enumerate(returned):
            if g is None:
                continue
            if i not in edges:
                where = f"position {i}, but the corresponding argument was not a Tensor"
                raise RuntimeError(f"{self.name()} returned a gradient different from None at {where}")
            if not isinstance(g, Tensor):
                raise RuntimeError(
                    f"{self.name()} must return Tensors or None, but value {i} is of type {type(g).__name__}"
                )
            edge: Any = edges[i]
            try:
                _ = edge and edge.fit(g.data)
            except ValueError:
                shapes = f"got {g.shape}, but expected a shape compatible with {edge.shape}"
                wrong = f"{self.name()} returned an invalid gradient at position {i}: {shapes}"
                raise RuntimeError(wrong) from None


class OnceDifferentiable(Node):
    """The node of the gradients of a once differentiable backward; to differentiate them raises an error."""

    __slots__ = ()

    def vjp(self, g: Any) -> NoReturn:
        """Raise RuntimeError."""
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Declare that a backward is not differentiable: a second derivative through it raises RuntimeError."""

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grad_outputs: Any) -> Any:
        with recording(False):
            returned = backward(ctx, *grad_outputs)
        if not mode.recording:
            return returned
        grads = returned if isinstance(returned, tuple) else (returned,)
        edges = (*ctx._node().edges, *(g.node for g in grad_outputs if g is not None))
        refuse = functools.partial(OnceDifferentiable, OnceDifferentiable, edges, ())
        return tuple(attach(g.data, refuse(g.data)) if isinstance(g, Tensor) else g for g in grads)

    return wrapper
