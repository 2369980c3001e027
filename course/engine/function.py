"""`Function`: operations of one's own, written as in PyTorch, with PyTorch's kinds of errors."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import numpy as np

from course.engine.node import Node, brief, mode, recording
from course.engine.saved import SavingNode, changed, refuse_leaf
from course.engine.tensor import Tensor, attach, tensor_of
from course.engine.values import broadcasts, is_floating, settle


class Context:
    """`ctx`: what forward and backward share. Attributes of any name may be put on it; `vars` shows them."""

    __slots__ = ("__dict__", "_marked", "_materialize", "_node", "needs_input_grad")

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.needs_input_grad = tuple(isinstance(x, Tensor) and x.requires_grad for x in args)
        self._materialize = True
        self._marked: dict[str, tuple[Any, ...]] = {}  # what forward said of Tensors, until apply sees to it
        self._node: Callable[[], FunctionNode | None] = lambda: None  # weak: the node owns its ctx

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep Tensors (else TypeError) for backward, where `ctx.saved_tensors` gives them."""
        for i, x in enumerate(tensors):
            if x is not None and not isinstance(x, Tensor):
                raise TypeError(
                    f"save_for_backward takes Tensors only, and argument {i} is of type {type(x).__name__}: "
                    "keep it as an attribute of ctx"
                )
        self._marked["saved"] = tensors

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What was saved, in backward; RuntimeError if it was freed, or changed in place since."""
        node = self._node()
        return () if node is None else node.saved_tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs forward has changed in place; it must return them."""
        self._marked["dirty"] = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs have no gradient."""
        self._marked["without gradient"] = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether backward gets zeros (the default) or None for outputs that were not used."""
        self._materialize = value


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
        """Compute, and record a node if a gradient will be wanted; arguments may be anything."""
        ctx = Context(args)
        with recording(False):
            if cls.setup_context is Function.setup_context:
                output = cls.forward(ctx, *args)
            else:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
        if isinstance(output, tuple):
            return record(cls, ctx, args, output)
        return record(cls, ctx, args, (output,))[0]


def record(
    function: type[Function], ctx: Context, args: tuple[Any, ...], outputs: tuple[Any, ...]
) -> tuple[Tensor, ...]:
    """Let the outputs be those of a new node, if a gradient will be wanted, and keep what was to be saved.

    Raises TypeError for outputs that are not Tensors, RuntimeError for dirty ones that are not outputs.
    """
    marked, ctx._marked = ctx._marked, {}  # a node that held its output would be a cycle
    saved, dirty = marked.get("saved", ()), marked.get("dirty", ())
    for i, y in enumerate(outputs):
        if not isinstance(y, Tensor):
            name, kind = function.__name__, type(y).__name__
            raise TypeError(f"{name}.forward must return Tensors, and its output {i} is {kind}")
    changed_here, frozen = identities(dirty), identities(marked.get("without gradient", ()))
    if not changed_here <= identities(args) & identities(outputs):
        raise RuntimeError("what is given to mark_dirty must be an input, changed in place, and be returned")
    for x in dirty:
        refuse_leaf(x)
        changed(x.data)
    # a Tensor that forward was given or found elsewhere keeps its own place in the graph
    given = identities(args) - changed_here
    own = tuple(
        attach(y.data) if id(y) in given or (y.node and id(y) not in changed_here) else y for y in outputs
    )
    edges = {i: x.node for i, x in enumerate(args) if isinstance(x, Tensor)}
    if not mode.recording or not any(edges.values()):
        return own
    index = {id(y): i for i, y in enumerate(own) if id(y) not in frozen}
    sources = tuple(None if x is None else index.get(id(x), x.node) for x in saved)
    node = FunctionNode(function, ctx, edges, tuple(None if x is None else x.data for x in saved), own)
    node._sources = sources
    for i, (y, original) in enumerate(zip(own, outputs, strict=True)):
        if id(original) not in frozen and is_floating(y.data):
            y.node = node.node_of(i)
    return own


class FunctionNode(SavingNode):
    """A call of a Function's apply; attributes of its ctx can be read from it, as in PyTorch."""

    __slots__ = ("__weakref__", "_sources", "ctx", "function", "outputs", "places")

    def __init__(
        self,
        function: type[Function],
        ctx: Context,
        edges: dict[int, Node | None],
        saved: tuple[Any, ...],
        outputs: tuple[Tensor, ...],
    ) -> None:
        output = brief(outputs[0].data) if len(outputs) == 1 else None
        super().__init__(tuple(edges.values()), saved, output)
        self.function, self.ctx = function, ctx
        self.places = tuple(edges)  # which arguments of apply are Tensors
        self.outputs = tuple((y.shape, y.dtype) for y in outputs)
        self._sources: tuple[Any, ...] = ()
        ctx._node = weakref.ref(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ctx, name)

    def name(self) -> str:
        """Return the node's name as PyTorch would give it."""
        return f"{self.function.__name__}Backward"

    def sources(self) -> tuple[Node | None, ...]:
        """Return the nodes that made the saved values. An own output is kept as a number: no cycle."""
        return tuple(self.node_of(s) if isinstance(s, int) else s for s in self._sources)

    def node_of(self, index: int) -> Node:
        """Return the node that an output has: this one if it is the only output."""
        return self if len(self.outputs) == 1 else Output(self, index)

    def fit(self, gradient: Any) -> Any:
        """Bring a gradient to the output's shape and dtype; those of several outputs have them already."""
        return gradient if isinstance(gradient, Cotangents) else super().fit(gradient)

    def vjp(self, cotangent: Any, saved: Any) -> tuple[Any, ...]:
        """Call backward with Tensors, recorded if the pass is, and look at what it returns."""
        cotangents = cotangent if isinstance(cotangent, tuple) else (cotangent,)
        grads = [
            attach(settle(np.zeros(*like))) if g is None and self.ctx._materialize else tensor_of(g)
            for g, like in zip(cotangents, self.outputs, strict=True)
        ]
        returned = self.function.backward(self.ctx, *grads)
        returned = returned if isinstance(returned, tuple) else (returned,)
        self._check(returned)
        return tuple(g if g is None or mode.recording else g.data for g in (returned[i] for i in self.places))

    def _check(self, returned: tuple[Any, ...]) -> None:
        """Raise RuntimeError, as PyTorch does, for what backward must not return.

        A wrong number of gradients, one where there was no Tensor, a wrong shape, and what is not a Tensor.
        """
        expected = len(self.ctx.needs_input_grad)
        if len(returned) < expected or any(g is not None for g in returned[expected:]):
            raise RuntimeError(
                f"{self.name()} returned an incorrect number of gradients (expected {expected}, "
                f"got {len(returned)}): one for each argument of apply, None for those that are not Tensors"
            )
        edges = dict(zip(self.places, self.edges, strict=True))
        for i, g in enumerate(returned):
            if g is None:
                continue
            if i not in edges:
                raise RuntimeError(
                    f"{self.name()} returned a gradient different from None at position {i}, "
                    "but the corresponding argument was not a Tensor"
                )
            if not isinstance(g, Tensor):
                raise RuntimeError(
                    f"{self.name()} must return Tensors or None, and {i} is {type(g).__name__}"
                )
            edge = edges[i]
            if edge is not None and not broadcasts(edge.shape, g.shape):
                raise RuntimeError(
                    f"{self.name()} returned an invalid gradient at position {i}: "
                    f"got {g.shape}, but expected a shape compatible with {edge.shape}"
                )


def identities(values: Iterable[Any]) -> set[int]:
    """Return what tells the Tensors among some values apart; == would compare their entries."""
    return {id(x) for x in values if isinstance(x, Tensor)}


class Cotangents(tuple[Any, ...]):
    """The adjoints of several outputs; what has not been reached is None."""

    def __add__(self, other: Any) -> Cotangents:
        pairs = zip(self, other, strict=True)
        return Cotangents(b if a is None else a if b is None else a + b for a, b in pairs)


class Output(Node):
    """One of several outputs: a node of its own, which hands its adjoint to the Function's."""

    __slots__ = ("index",)

    def __init__(self, function: FunctionNode, index: int) -> None:
        super().__init__((function,), (), function.outputs[index])
        self.index = index

    def source(self) -> tuple[Node, int]:
        """Return the Function's node and which of its outputs this is."""
        (function,) = self.edges
        assert function is not None
        return function, self.index

    def vjp(self, cotangent: Any, saved: Any) -> tuple[Cotangents]:
        """Put the cotangent in its place among those of the other outputs."""
        function: Any = self.source()[0]
        return (Cotangents(cotangent if i == self.index else None for i in range(len(function.outputs))),)


class OnceDifferentiable(Node):
    """What stands behind the gradients of a once differentiable backward: whoever comes here is told so."""

    __slots__ = ()

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
        edges = (*ctx._node().edges, *(g.node for g in grad_outputs if g is not None))
        return tuple(
            attach(g.data, OnceDifferentiable(edges, (), brief(g.data))) if isinstance(g, Tensor) else g
            for g in grads
        )

    return wrapper
