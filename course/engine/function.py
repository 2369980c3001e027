"""`Function`: operations of one's own, written as in PyTorch, with PyTorch's kinds of errors."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from course.engine.core import Node, Tensor, adjoint_of, attach, tensor_of
from course.engine.recording import mode, recording
from course.engine.values import is_floating, settle

OWN: Any = object()  # the origin of a saved output: a node that held itself would be a cycle


class Context:
    """`ctx`: what forward and backward share. Attributes of any name may be put on it; `vars` shows them."""

    __slots__ = ("__dict__", "_node", "_saved", "needs_input_grad")

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.needs_input_grad = tuple(isinstance(x, Tensor) and x.requires_grad for x in args)
        self._saved: tuple[Any, ...] = ()  # until the node takes the plain values
        self._node: Callable[[], FunctionNode | None] = lambda: None  # weak: the node owns its ctx

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep Tensors (else TypeError) for backward, where `ctx.saved_tensors` gives them."""
        for i, x in enumerate(tensors):
            if x is not None and not isinstance(x, Tensor):
                kind = f"argument {i} is of type {type(x).__name__}: keep it as an attribute of ctx"
                raise TypeError(f"save_for_backward takes Tensors only, and {kind}")
        self._saved = tensors

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What was saved, in backward; RuntimeError if it was freed."""
        node = self._node()
        return () if node is None else node.saved_tensors


class Function:
    """An operation given by `forward` and `backward`; calling `.apply` computes and records it.

    A subclass writes, as static methods, `forward(ctx, *args)` and `backward(ctx, *grad_outputs)`, or
    `forward(*args)` and `setup_context(ctx, inputs, output)` in place of the first.
    """

    @staticmethod
    def forward(*args: Any) -> Any:
        """Compute the output from `ctx` and the arguments of apply; what happens here is not recorded."""
        raise NotImplementedError("write forward(ctx, *args) as a static method")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Keep on ctx what backward needs, where forward is written without ctx."""
        raise NotImplementedError

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Return for each argument of apply its gradient; None for those that are not Tensors."""
        raise NotImplementedError("write backward(ctx, *grad_outputs) as a static method")

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Compute, and record a node if a gradient will be wanted; arguments may be anything.

        Raises TypeError where forward returns anything but Tensors.
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
        # a Tensor that forward was given or found elsewhere keeps its own place in the graph
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
    """An output of a Function's apply; attributes of its ctx can be read from it, as in PyTorch.

    Unlike PyTorch's, each of several outputs has a node of its own, and backward runs once for each that was
    used, with zeros for the others: as it is linear in them, the sum is the same.
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
        """Return the nodes that made the saved values."""
        return tuple(self if origin is OWN else origin for origin in self.origins)

    def vjp(self, g: Any) -> tuple[Any, ...]:
        """Call backward with Tensors, recorded if the pass is, and look at what it returns."""
        self.ctx._node = weakref.ref(self)
        likes = enumerate(self.outputs)
        grads = [tensor_of(g) if i == self.index else attach(settle(np.zeros(*like))) for i, like in likes]
        returned = self.operation.backward(self.ctx, *grads)
        returned = returned if isinstance(returned, tuple) else (returned,)
        self.check(returned)
        return tuple(adjoint_of(returned[i]) for i in self.places)

    def check(self, returned: tuple[Any, ...]) -> None:
        """Raise RuntimeError, as PyTorch does, for what backward must not return.

        A wrong number of gradients, one where there was no Tensor, a wrong shape, and what is not a Tensor.
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
                    f"{self.name()} must return Tensors or None, and {i} is {type(g).__name__}"
                )
            edge: Any = edges[i]
            try:
                _ = edge and edge.fit(g.data)
            except ValueError:
                shapes = f"got {g.shape}, but expected a shape compatible with {edge.shape}"
                wrong = f"{self.name()} returned an invalid gradient at position {i}: {shapes}"
                raise RuntimeError(wrong) from None


class OnceDifferentiable(Node):
    """What stands behind the gradients of a once differentiable backward: whoever comes here is told so."""

    __slots__ = ()

    def vjp(self, g: Any) -> NoReturn:
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
        edges = (*ctx._node().edges, *(g.node for g in grad_outputs if g is not None))
        refuse = functools.partial(OnceDifferentiable, OnceDifferentiable, edges, ())
        return tuple(attach(g.data, refuse(g.data)) if isinstance(g, Tensor) else g for g in grads)

    return wrapper
