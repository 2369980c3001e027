"""Operations of the engine's own: nodes that compute with plain values and know their derivative."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, ClassVar

from course.engine.node import Node, mode, tick
from course.engine.saved import SavingNode
from course.engine.tensor import Tensor, attach, new
from course.engine.values import ieee, is_floating, settle


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
        output = self.compute(*values)
        if plain:
            return output  # type: ignore[no-any-return]  # plain in, plain out: only a vjp calls so
        if not mode.recording or not any(edges) or not is_floating(output):
            return attach(output)
        return self.record(tuple(edges), tuple(values), output)

    def compute(self, *values: Any) -> Any:
        """Call forward; where Python's floats refuse (1 / 0), let NumPy's answer (inf)."""
        try:
            return settle(self.forward(*values))
        except (ArithmeticError, ValueError):
            return settle(self.forward(*map(ieee, values)))

    def record(self, edges: tuple[Node | None, ...], values: tuple[Any, ...], output: Any) -> Tensor:
        """Keep what backward needs, and return the output as this node's."""
        self.edges = edges
        if self.keeps_output:
            self.saved = (*values, output) if self.keeps_inputs else (output,)
        else:
            self.saved = values if self.keeps_inputs else ()
        self.number = tick()
        self.adjoint = self.hooks = None
        self.output(output)
        return attach(output, self)

    def sources(self) -> tuple[Node | None, ...]:
        """Return the nodes that made the saved values: an operation's inputs', then its own."""
        return (self.edges if self.keeps_inputs else ()) + ((self,) if self.keeps_output else ())


class Binary(Operation):
    """An operation on two operands: `apply` is `of` unrolled, and keeps its inputs or nothing.

    Its edges lie in slots of its own: a tuple for each node would double what Python's cyclic collector sees.
    """

    __slots__ = ("left", "right")

    left: Node | None
    right: Node | None

    def join(self, pair: tuple[Node | None, ...]) -> None:
        """Take both edges from a tuple."""
        self.left, self.right = pair

    edges = property(attrgetter("left", "right"), join)

    @classmethod
    def apply(cls, a: Any, b: Any) -> Tensor:
        """Compute with two operands, of which at least one is a Tensor."""
        left = right = None
        if isinstance(a, Tensor):
            left, a = a.node, a.data
        elif type(a) is not float:
            a = settle(a)
        if isinstance(b, Tensor):
            right, b = b.node, b.data
        elif type(b) is not float:
            b = settle(b)
        self = cls()
        try:
            output = self.forward(a, b)
        except (ArithmeticError, ValueError):
            output = self.compute(a, b)
        if type(output) is not float:
            output = settle(output)
        tensor: Tensor = new(Tensor)
        tensor.data = output
        tensor.grad = tensor.node = None
        if (left or right) and mode.recording:
            self.left, self.right = left, right
            self.saved = (a, b) if self.keeps_inputs else ()
            self.number = tick()
            self.adjoint = self.hooks = None
            self.output(output)
            tensor.node = self
        return tensor
