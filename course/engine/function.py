"""`Function`: operations of one's own, written as in PyTorch."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from course.engine.core import Mode, Node, Tensor, attach, recording, tick
from course.engine.values import is_floating


class Cotangents(tuple[Any, ...]):
    """The adjoints of several outputs; what has not been reached is None."""

    def __add__(self, other: Any) -> Cotangents:
        pairs = zip(self, other, strict=True)
        return Cotangents(b if a is None else a if b is None else a + b for a, b in pairs)


class Output(Node):
    """One of several outputs: a node of its own, which hands its adjoint to the Function's."""

    __slots__ = ("index",)

    def __init__(self, function: Function, index: int, value: Any) -> None:
        self.edges, self.saved, self.index, self.number = (function,), (), index, tick()
        self.adjoint = self.hooks = None
        self.output(value)

    def source(self) -> tuple[Node, int]:
        """Return the Function's node and which of its outputs this is."""
        (function,) = self.edges
        assert function is not None
        return function, self.index

    def vjp(self, cotangent: Any, saved: Any) -> Cotangents:
        function = self.source()[0]
        assert isinstance(function, Function)
        return (Cotangents(cotangent if i == self.index else None for i in range(len(function.outputs))),)  # type: ignore[return-value]


class Function(Node):
    """An operation given by `forward` and `backward`; calling `.apply` computes and records it.

    A subclass writes, as static methods, `forward(ctx, *args)` and `backward(ctx, *grad_outputs)`, or
    `forward(*args)` and `setup_context(ctx, inputs, output)` in place of the former. `ctx` is the node itself.
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
        for i, tensor in enumerate(tensors):
            if tensor is not None and not isinstance(tensor, Tensor):
                raise TypeError(
                    f"save_for_backward takes Tensors only, and argument {i} is of type {type(tensor).__name__}: "
                    "keep it as an attribute of ctx"
                )
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
        """Compute, and record a node if a gradient will be wanted. Arguments that are not Tensors pass as they are."""
        ctx = cls()
        ctx._to_save = ctx._dirty = ctx._non_differentiable = ()
        ctx._materialize = True
        ctx.adjoint = ctx.hooks = ctx.value = None
        ctx.edges = tuple(x.node for x in args if isinstance(x, Tensor))
        ctx.places = tuple(i for i, x in enumerate(args) if isinstance(x, Tensor))
        ctx.needs_input_grad = tuple(isinstance(x, Tensor) and x.requires_grad for x in args)
        with recording(False):
            if cls.setup_context is Function.setup_context:
                output = cls.forward(ctx, *args)
            else:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
        outputs = output if isinstance(output, tuple) else (output,)
        for i, y in enumerate(outputs):
            if not isinstance(y, Tensor):
                raise TypeError(
                    f"{cls.__name__}.forward must return Tensors, and its output {i} is {type(y).__name__}"
                )
        outputs = ctx._record(args, outputs)
        return outputs if isinstance(output, tuple) else outputs[0]

    def _record(self, args: tuple[Any, ...], outputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Give the outputs this node, unless no gradient is wanted, and settle what was saved."""
        inputs = {id(x) for x in args if isinstance(x, Tensor)}
        dirty = {id(x) for x in self._dirty}
        frozen = {id(x) for x in self._non_differentiable}
        results = [attach(y.data) if id(y) in inputs - dirty or y.node else y for y in outputs]
        if not Mode.recording or not any(self.edges):
            self._to_save = ()
            return tuple(results)
        self.number = tick()
        where = {id(y): i for i, y in enumerate(outputs) if id(y) not in inputs - dirty}
        self.saved = tuple(None if x is None else x.data for x in self._to_save)
        self._sources = tuple(None if x is None else where.get(id(x), x.node) for x in self._to_save)
        self._to_save = self._dirty = self._non_differentiable = ()
        self.outputs = tuple((y.shape, y.dtype) for y in outputs)
        wanted = [i for i, y in enumerate(outputs) if id(y) not in frozen and is_floating(y.data)]
        for i in wanted:
            results[i].node = Output(self, i, results[i].data) if len(outputs) > 1 else self
        if wanted == [0] and len(outputs) == 1:
            self.output(results[0].data)
        return tuple(results)

    def sources(self) -> tuple[Node | None, ...]:
        """Return the nodes that made the saved values; for an own output that is this node."""
        return tuple(self._own(s) if isinstance(s, int) else s for s in self._sources)

    def _own(self, index: int) -> Node:
        """Return an edge to an output of this node, which the node itself must not hold: that would be a cycle."""
        return self if len(self.outputs) == 1 else Output(self, index, np.zeros(self.outputs[index][0]))

    def fit(self, gradient: Any) -> Any:
        """Bring a gradient to the output's shape and dtype; several have been brought already."""
        return gradient if isinstance(gradient, Cotangents) else super().fit(gradient)

    def vjp(self, cotangent: Any, saved: Any) -> tuple[Any, ...]:
        """Call backward with Tensors, recorded if the pass is, and look at what it returns."""
        cotangents = cotangent if isinstance(cotangent, Cotangents) else (cotangent,)
        grads = [g if g is None or isinstance(g, Tensor) else attach(g) for g in cotangents]
        if self._materialize:
            for i, (shape, dtype) in enumerate(self.outputs):
                if grads[i] is None:
                    grads[i] = Tensor(np.zeros(shape, dtype))
        returned = type(self).backward(self, *grads)
        return self._checked(returned if isinstance(returned, tuple) else (returned,))

    def _checked(self, returned: tuple[Any, ...]) -> tuple[Any, ...]:
        """Take from what backward returned the gradients of the Tensors among the arguments."""
        expected = len(self.needs_input_grad)
        if len(returned) != expected and (
            len(returned) < expected or any(g is not None for g in returned[expected:])
        ):
            raise RuntimeError(
                f"{self.name()} returned {len(returned)} gradients, and forward took {expected} arguments: "
                "one is needed for each, None for those that are not Tensors"
            )
        for i, g in enumerate(returned[:expected]):
            if g is None:
                continue
            if i not in self.places:
                raise RuntimeError(
                    f"{self.name()} returned a gradient at position {i}, where the argument was not a Tensor: return None"
                )
            if not isinstance(g, Tensor):
                raise TypeError(
                    f"{self.name()} must return Tensors or None, and position {i} is {type(g).__name__}"
                )
        gradients = (returned[i] for i in self.places)
        return tuple(g if g is None or Mode.recording else g.data for g in gradients)


class OnceDifferentiable(Node):
    """What stands behind the gradients of a once differentiable backward: whoever comes here is told so."""

    __slots__ = ()

    def __init__(self, edges: tuple[Node | None, ...], value: Any) -> None:
        self.edges, self.saved, self.number = edges, (), tick()
        self.adjoint = self.hooks = None
        self.output(value)

    def vjp(self, cotangent: Any, saved: Any) -> NoReturn:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Declare that a backward is not made of differentiable operations: a second derivative through it raises."""

    @functools.wraps(backward)
    def wrapper(ctx: Function, *grad_outputs: Any) -> Any:
        with recording(False):
            returned = backward(ctx, *grad_outputs)
        if not Mode.recording:
            return returned
        grads = returned if isinstance(returned, tuple) else (returned,)
        edges = (*ctx.edges, *(g.node for g in grad_outputs if g is not None))
        return tuple(
            attach(g.data, OnceDifferentiable(edges, g.data)) if isinstance(g, Tensor) else g for g in grads
        )

    return wrapper
