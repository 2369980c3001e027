"""Operations of the engine's own: what one is declared to be, and how it enters the graph."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Literal

from course.engine.node import Node, brief, mode, tick
from course.engine.saved import SavingNode
from course.engine.tensor import Tensor, attach, new
from course.engine.values import ieee, is_floating, settle

Rule = Callable[..., Any]  # how to compute: a value, or a vector-Jacobian product
Keeps = Literal["nothing", "inputs", "other inputs", "output", "inputs and output"]


class Operation:
    """An operation: its name, its value, and for each operand a vector-Jacobian product.

    `forward` computes on plain values. A vjp takes the adjoint g and what the operation keeps. It is written
    once, with operators: on plain values normally, and on Tensors in a pass that is itself recorded.
    """

    __slots__ = ("forward", "keeps", "name", "vjps")

    def __init__(self, name: str, forward: Rule, *vjps: Rule, keeps: Keeps = "nothing") -> None:
        self.name, self.forward, self.vjps, self.keeps = name, forward, vjps, keeps

    def pick(self, inputs: tuple[Any, ...], output: Any) -> tuple[Any, ...]:
        """Pick what is kept: of values, to save them; of nodes, to learn where those values came from."""
        picked = inputs if "inputs" in self.keeps else ()
        return (*picked, output) if "output" in self.keeps else picked

    def of(self, *operands: Any) -> Any:
        """Compute, and record a node if a gradient will be wanted: a Tensor, if one of the operands is."""
        values = tuple([x.data if isinstance(x, Tensor) else settle(x) for x in operands])
        edges = tuple([x.node if isinstance(x, Tensor) else None for x in operands])
        try:
            output = settle(self.forward(*values))
        except (ArithmeticError, ValueError):
            output = by_ieee(self.forward, values)
        if mode.recording and any(edges) and is_floating(output):
            return attach(output, OperationNode(self, edges, self.pick(values, output), brief(output)))
        return attach(output) if any(isinstance(x, Tensor) for x in operands) else output


def by_ieee(forward: Rule, values: tuple[Any, ...]) -> Any:
    """Call forward with NumPy's floats, which answer (inf) where Python's refuse (1 / 0)."""
    return settle(forward(*map(ieee, values)))


class OperationNode(SavingNode):
    """An operation that took place."""

    __slots__ = ("operation",)

    def __init__(self, operation: Operation, edges: Any, saved: Any, output: Any) -> None:
        super().__init__(edges, saved, output)
        self.operation = operation

    def name(self) -> str:
        """Return the node's name as PyTorch would give it."""
        return f"{self.operation.name}Backward"

    def sources(self) -> tuple[Node | None, ...]:
        """Return the nodes that made the saved values."""
        return self.operation.pick(self.edges, self)

    def vjp(self, g: Any, saved: Any) -> tuple[Any, ...]:
        """Give the vector-Jacobian product for each operand that wants one."""
        pairs = zip(self.edges, self.operation.vjps, strict=True)
        return tuple([None if edge is None else vjp(g, *saved) for edge, vjp in pairs])


def unary(name: str, forward: Rule, vjp: Rule, keeps: Keeps = "nothing") -> Rule:
    """Return the function of one operand that an operation is."""
    operation = Operation(name, forward, vjp, keeps=keeps)

    def function(x: Any) -> Any:
        return operation.of(x)

    function.__name__, function.__doc__ = name.lower(), f"Return {name.lower()} of each entry of x."
    return function


class BinaryNode(OperationNode):
    """An operation on two operands, whose edges lie in slots of their own.

    A tuple a node would double what Python's cyclic collector sees, which is most of a large graph's cost.
    """

    __slots__ = ("left", "right")

    left: Node | None
    right: Node | None
    edges = property(attrgetter("left", "right"))

    def vjp(self, g: Any, saved: Any) -> tuple[Any, Any]:
        """Give the vector-Jacobian product for each operand that wants one."""
        a, b = saved or (None, None)
        by_a, by_b = self.operation.vjps
        return self.left and by_a(g, a, b), self.right and by_b(g, a, b)


def binary(name: str, forward: Rule, by_a: Rule, by_b: Rule, keeps: Keeps = "nothing") -> Rule:
    """Return the function of two operands, at least one of them a Tensor: `Operation.of`, unrolled for speed.

    Its vjps take g, a and b. Where each needs the other operand only, "other inputs" saves no more.
    """
    operation = Operation(name, forward, by_a, by_b, keeps=keeps)

    def function(a: Any, b: Any) -> Any:
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
        tensor = new(Tensor)
        tensor.data = output = output if type(output) is float else settle(output)
        tensor.grad = tensor.node = None
        if not mode.recording or left is right is None:
            return tensor
        tensor.node = node = new(BinaryNode)
        node.operation, node.left, node.right = operation, left, right
        node.adjoint = node.hooks = None
        node.number = tick()
        if type(output) is float:
            node.output = output
        else:
            node.output = brief(output)
        if keeps == "nothing":
            node.saved = ()
        elif keeps == "inputs":
            node.saved = (a, b)
        else:
            node.saved = (a if right else None, b if left else None)
        return tensor

    function.__name__, function.__doc__ = name.lower(), f"Return {name.lower()} of a and b, broadcast."
    return function
