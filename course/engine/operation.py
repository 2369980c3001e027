"""Operations of the engine's own: nodes that compute with plain values and know their derivative."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, ClassVar

from course.engine.node import Node, mode, tick
from course.engine.saved import SavingNode
from course.engine.tensor import Tensor, attach, new
from course.engine.values import NUMBER, ieee, is_floating, settle


class Operation(SavingNode):
    """A node that computes `forward` on plain values and gives `vjp` on plain values or on Tensors.

    `Exp().of(x)` is a Tensor if x is one, and else a plain value, so that a vjp can be written once.
    `keeps_inputs` and `keeps_output` say what the vjp needs.
    """

    __slots__ = ()
    keeps_inputs: ClassVar[bool] = False
    keeps_output: ClassVar[bool] = False

    def forward(self, *values: Any) -> Any:
        """Compute the output, a plain value."""
        raise NotImplementedError

    def of(self, *operands: Any) -> Tensor:
        """Compute, and take the node's place in the graph if a gradient will be wanted."""
        plain, values, edges = True, [], []
        for x in operands:
            if isinstance(x, Tensor):
                plain = False
                edges.append(x.node)
                values.append(x.data)
            else:
                edges.append(None)
                values.append(settle(x))
        try:
            output = settle(self.forward(*values))
        except (ArithmeticError, ValueError):
            output = by_ieee(self.forward, values)
        if plain:
            return output  # type: ignore[no-any-return]  # plain in, plain out: only a vjp calls so
        if not mode.recording or not any(edges) or not is_floating(output):
            return attach(output)
        self.edges, kept = tuple(edges), tuple(values) if self.keeps_inputs else ()
        self.saved = (*kept, output) if self.keeps_output else kept
        self.number = tick()
        self.adjoint = self.hooks = None
        self.output(output)
        return attach(output, self)

    def sources(self) -> tuple[Node | None, ...]:
        """Return the nodes that made the saved values: an operation's inputs', then its own."""
        return (self.edges if self.keeps_inputs else ()) + ((self,) if self.keeps_output else ())


def by_ieee(forward: Callable[..., Any], values: Any) -> Any:
    """Call forward with NumPy's floats, which answer (inf) where Python's refuse (1 / 0)."""
    return settle(forward(*map(ieee, values)))


class Binary(Operation):
    """An operation on two operands.

    Its edges lie in slots of their own: a tuple a node would double what Python's cyclic collector sees.
    Where each operand's derivative needs the other one only, `keeps_other` spares what nobody will ask for.
    """

    __slots__ = ("left", "right")
    keeps_other: ClassVar[bool] = False

    left: Node | None
    right: Node | None
    edges = property(attrgetter("left", "right"))


def binary(kind: type[Binary]) -> Callable[[Any, Any], Tensor]:
    """Return the function of two operands, at least one of them a Tensor: `Operation.of`, unrolled."""
    forward, keeps_inputs, keeps_other = kind.forward, kind.keeps_inputs, kind.keeps_other

    def function(a: Any, b: Any) -> Tensor:
        left = right = None
        if isinstance(a, Tensor):
            left, a = a.node, a.data
        elif type(a) is not float:
            a = settle(a)
        if isinstance(b, Tensor):
            right, b = b.node, b.data
        elif type(b) is not float:
            b = settle(b)
        try:
            output = forward(a, b)
        except (ArithmeticError, ValueError):
            output = by_ieee(forward, (a, b))
        tensor: Tensor = new(Tensor)
        tensor.grad = tensor.node = None
        if type(output) is float:
            tensor.data = output
            if not mode.recording or left is right is None:
                return tensor
            tensor.node = node = kind()
            node.value, node.like = output, NUMBER
        else:
            tensor.data = output = settle(output)
            if not mode.recording or left is right is None:
                return tensor
            tensor.node = node = kind()
            node.output(output)
        node.left, node.right = left, right
        if keeps_other:
            node.saved = (a if right else None, b if left else None)
        else:
            node.saved = (a, b) if keeps_inputs else ()
        node.number = tick()
        node.adjoint = node.hooks = None
        return tensor

    return function


def unary(kind: type[Operation]) -> Callable[[Any], Tensor]:
    """Return the function of one operand."""

    def function(x: Any) -> Tensor:
        return kind().of(x)

    function.__doc__ = kind.__doc__
    return function
