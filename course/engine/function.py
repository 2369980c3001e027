"""`Function`: operations of one's own, written as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from course.engine.contract import check_gradients, check_outputs, check_saved, identities
from course.engine.node import Node, mode, recording, tick
from course.engine.saved import SavingNode, changed, refuse_leaf
from course.engine.tensor import Tensor, attach
from course.engine.values import is_floating, settle


class Function(SavingNode):
    """An operation given by `forward` and `backward`; calling `.apply` computes and records it.

    A subclass writes, as static methods, `forward(ctx, *args)` and `backward(ctx, *grad_outputs)`, or
    `forward(*args)` and `setup_context(ctx, inputs, output)` in place of the first. `ctx` is the node.
    """

    __slots__ = (
        "_dirty",
        "_materialize",
        "_non_differentiable",
        "_sources",
        "_to_save",
        "needs_input_grad",
        "outputs",
        "places",
    )

    needs_input_grad: tuple[bool, ...]  # for each argument of apply
    places: tuple[int, ...]  # which arguments of apply are Tensors
    outputs: tuple[tuple[tuple[int, ...], Any], ...]  # shape and dtype of each

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

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep Tensors for backward, where `ctx.saved_tensors` gives them."""
        check_saved(tensors)
        self._to_save = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs forward has changed in place; it must return them."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs have no gradient."""
        self._non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether backward gets zeros (the default) or None for outputs that were not used."""
        self._materialize = value

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Compute, and record a node if a gradient will be wanted; arguments may be anything."""
        ctx = cls()
        ctx._to_save = ctx._dirty = ctx._non_differentiable = ()
        ctx._materialize = True
        ctx.adjoint = ctx.hooks = ctx.value = None
        ctx.places = tuple(i for i, x in enumerate(args) if isinstance(x, Tensor))
        ctx.edges = tuple(args[i].node for i in ctx.places)
        ctx.needs_input_grad = tuple(isinstance(x, Tensor) and x.requires_grad for x in args)
        with recording(False):
            if cls.setup_context is Function.setup_context:
                output = cls.forward(ctx, *args)
            else:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
        several = isinstance(output, tuple)
        outputs = ctx._record(args, output if several else (output,))
        return outputs if several else outputs[0]

    def _record(self, args: tuple[Any, ...], outputs: tuple[Any, ...]) -> tuple[Tensor, ...]:
        """Let the outputs be this node's, if a gradient will be wanted, and keep what was to be saved."""
        check_outputs(self, args, outputs)
        to_save, dirty, frozen = self._to_save, self._dirty, identities(self._non_differentiable)
        del (
            self._to_save,
            self._dirty,
            self._non_differentiable,
        )  # a node that held its output would be a cycle
        for x in dirty:
            refuse_leaf(x)
            changed(x.data)
        # a Tensor that forward was given or found elsewhere keeps its own place in the graph
        changed_here = identities(dirty)
        given = identities(args) - changed_here
        own = tuple(
            attach(y.data) if id(y) in given or (y.node and id(y) not in changed_here) else y for y in outputs
        )
        if not mode.recording or not any(self.edges):
            return own
        self.number = tick()
        self.outputs = tuple((y.shape, y.dtype) for y in own)
        index = {id(y): i for i, y in enumerate(own) if id(y) not in frozen}
        self.saved = tuple(None if x is None else x.data for x in to_save)
        self._sources = tuple(None if x is None else index.get(id(x), x.node) for x in to_save)
        for i, (y, original) in enumerate(zip(own, outputs, strict=True)):
            if id(original) not in frozen and is_floating(y.data):
                y.node = self if len(own) == 1 else Output(self, i)
        if len(own) == 1:
            self.output(own[0].data)
        return own

    def sources(self) -> tuple[Node | None, ...]:
        """Return the nodes that made the saved values. An own output is kept as a number: no cycle."""
        several = len(self.outputs) > 1
        return tuple(
            (Output(self, s) if several else self) if isinstance(s, int) else s for s in self._sources
        )

    def fit(self, gradient: Any) -> Any:
        """Bring a gradient to the output's shape and dtype; those of several outputs have them already."""
        return gradient if isinstance(gradient, Cotangents) else super().fit(gradient)

    def vjp(self, cotangent: Any, saved: Any) -> tuple[Any, ...]:
        """Call backward with Tensors, recorded if the pass is, and look at what it returns."""
        cotangents = cotangent if isinstance(cotangent, tuple) else (cotangent,)
        grads = [g if g is None or isinstance(g, Tensor) else attach(g) for g in cotangents]
        if self._materialize:
            zeros = (attach(settle(np.zeros(*like))) for like in self.outputs)
            grads = [zero if g is None else g for g, zero in zip(grads, zeros, strict=True)]
        gradients = check_gradients(self, type(self).backward(self, *grads))
        return tuple(g if g is None or mode.recording else g.data for g in gradients)


class Cotangents(tuple[Any, ...]):
    """The adjoints of several outputs; what has not been reached is None."""

    def __add__(self, other: Any) -> Cotangents:
        pairs = zip(self, other, strict=True)
        return Cotangents(b if a is None else a if b is None else a + b for a, b in pairs)


class Output(Node):
    """One of several outputs: a node of its own, which hands its adjoint to the Function's."""

    __slots__ = ("index",)

    def __init__(self, function: Any, index: int) -> None:
        self.edges, self.saved, self.index, self.number = (function,), (), index, tick()
        self.adjoint = self.hooks = self.value = None
        self.like = function.outputs[index]

    def source(self) -> tuple[Node, int]:
        """Return the Function's node and which of its outputs this is."""
        (function,) = self.edges
        assert function is not None
        return function, self.index

    def vjp(self, cotangent: Any, saved: Any) -> tuple[Cotangents]:
        """Put the cotangent in its place among those of the other outputs."""
        function: Any = self.source()[0]
        return (Cotangents(cotangent if i == self.index else None for i in range(len(function.outputs))),)
