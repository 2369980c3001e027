"""Operations of the engine's own: nodes that compute with plain values and know their derivative."""

from __future__ import annotations

from typing import Any, ClassVar

from course.engine.node import Mode, Node, tick
from course.engine.saved import SavingNode
from course.engine.tensor import Tensor, attach, new
from course.engine.values import ieee, is_floating, settle


class Operation(SavingNode):
    """A node that computes `forward` on plain values and gives `vjp` on plain values or on Tensors.

    Called on Tensors and numbers it gives a Tensor; on plain values alone a plain value, so that a vjp
    can be written once, for both. `keeps` says what the vjp needs: the inputs, the output, or neither.
    """

    __slots__ = ()
    keeps: ClassVar[tuple[str, ...]] = ()

    def forward(self, *values: Any) -> Any:
        """Compute the output, a plain value."""
        raise NotImplementedError

    def __call__(self, *operands: Any) -> Tensor:
        """Compute, and take the node's place in the graph if a gradient will be wanted."""
        values = tuple(x.data if isinstance(x, Tensor) else settle(x) for x in operands)
        output = settle(evaluate(self.forward, values))
        if not any(isinstance(x, Tensor) for x in operands):
            return output  # type: ignore[no-any-return]  # plain in, plain out: only a vjp calls so
        edges = tuple(x.node if isinstance(x, Tensor) else None for x in operands)
        if not Mode.recording or not any(edges) or not is_floating(output):
            return attach(output)
        self.edges = edges
        self.saved = (values if "inputs" in self.keeps else ()) + (
            (output,) if "output" in self.keeps else ()
        )
        self.number = tick()
        self.adjoint = self.hooks = None
        self.output(output)
        return attach(output, self)

    def sources(self) -> tuple[Node | None, ...]:
        """Return the nodes that made the saved values: an operation's inputs', then its own."""
        return (self.edges if "inputs" in self.keeps else ()) + ((self,) if "output" in self.keeps else ())


class Binary(Operation):
    """An operation on two operands, the commonest: the same as Operation, unrolled."""

    __slots__ = ()

    @classmethod
    def apply(cls, a: Any, b: Any) -> Tensor:
        """Compute with two operands, of which at least one is a Tensor."""
        if isinstance(a, Tensor):
            left, a = a.node, a.data
        else:
            left, a = None, settle(a)
        if isinstance(b, Tensor):
            right, b = b.node, b.data
        else:
            right, b = None, settle(b)
        self = cls()
        try:
            output = self.forward(a, b)
        except (ArithmeticError, ValueError):
            output = evaluate(self.forward, (a, b))
        if type(output) is not float:
            output = settle(output)
        tensor: Tensor = new(Tensor)
        tensor.data = output
        tensor.grad = None
        if (left is None and right is None) or not Mode.recording:
            tensor.node = None
            return tensor
        self.edges = (left, right)
        self.saved = (a, b) if self.keeps else ()
        self.number = tick()
        self.adjoint = self.hooks = None
        if type(output) is float:
            self.value = output
        else:
            self.output(output)
        tensor.node = self
        return tensor


def evaluate(function: Any, values: tuple[Any, ...]) -> Any:
    """Call a function on plain values; where Python's floats refuse (1 / 0), let NumPy's answer (inf)."""
    try:
        return function(*values)
    except (ArithmeticError, ValueError):
        return function(*map(ieee, values))
