"""Tensors, the graph that is recorded when you compute with them, and the loop of the backward pass."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Collection, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from course.engine.hooks import Handle, Hook, Hooks
from course.engine.recording import mode, recording
from course.engine.values import FLOAT64, dtype_of, is_floating, settle, shape_of, unbroadcast

DRAWABLE = 16  # entries: a node keeps outputs up to this size, for pictures
# Two marks in place of an adjoint: the pass will visit this node; the saved values of this node were freed.
WAITING, FREED = float("0"), object()
SECOND_TIME = "Trying to backward through the graph a second time: the first pass needed retain_graph=True"
clock = itertools.count(1)  # shared by all nodes: a node that is created later has a larger number


class Tensor:
    """A number or an array, and its place in the graph.

    `data` is a Python float or a copy of a NumPy array. Floats are float64; float32 is kept; integers and
    booleans have no gradient. `grad` is a Tensor or None. `node` is the node that receives the gradient of
    this Tensor: the node of the operation that computed it, or the leaf's own node, or None if no gradient is
    needed. Raises TypeError for data that are not real numbers, RuntimeError if requires_grad is set for data
    that cannot have a gradient. `ops` adds operators and further methods.
    """

    __slots__ = ("__weakref__", "data", "grad", "node")
    __array_ufunc__ = None  # so that `array * tensor` calls Tensor.__rmul__

    if TYPE_CHECKING:  # defined by `ops`
        __add__ = __sub__ = __mul__ = __truediv__ = __pow__ = __matmul__ = __getitem__ = cast(Any, None)
        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rpow__ = __rmatmul__ = __neg__ = cast(Any, None)
        __lt__ = __le__ = __gt__ = __ge__ = cast(Any, None)

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, data: Any, requires_grad: bool = False) -> None:
        if isinstance(data, Tensor):
            raise TypeError("this is already a Tensor; detach() returns one without a graph")
        self.data: Any = settle(data.copy() if isinstance(data, np.ndarray) else data)
        if requires_grad and not is_floating(self.data):
            raise RuntimeError(f"only floats can require gradients, not {self.dtype}: write 1.0 instead of 1")
        self.grad: Any = None
        self.node: Node | None = Leaf(self) if requires_grad else None

    shape = property(lambda self: shape_of(self.data), doc="The shape; () for a number.")
    dtype = property(lambda self: dtype_of(self.data), doc="NumPy's dtype; float64 for a Python float.")
    ndim = property(lambda self: len(self.shape), doc="The number of axes.")
    size = property(lambda self: int(np.size(self.data)), doc="The number of entries.")
    requires_grad = property(lambda self: self.node is not None, doc="Whether a gradient is needed.")
    is_leaf = property(lambda self: isinstance(self.node, Leaf | None), doc="Whether it is a leaf.")
    grad_fn = property(lambda self: None if self.is_leaf else self.node, doc="The node that computed it.")

    def item(self) -> Any:
        """Return the one entry as a Python number. Raises RuntimeError if there are more."""
        if self.size != 1:
            raise RuntimeError(f"item() needs exactly one entry, but this Tensor has {self.size}")
        return np.asarray(self.data).item()

    def detach(self) -> Tensor:
        """Return a Tensor with the same data and no graph."""
        return attach(self.data)

    def backward(self, gradient: Any = None, retain_graph: Any = None, create_graph: bool = False) -> None:
        """Add the derivative of this Tensor, or of its product with `gradient`, to the `.grad` of each leaf.

        Saved values are freed unless retain_graph is set. With create_graph the gradients have a graph of
        their own. Raises RuntimeError if there are several entries and no gradient is given, or if there is
        no graph or it was freed.
        """
        with recording(create_graph):
            propagate([seed_for(self, gradient)], None, retain_graph)

    def __repr__(self) -> str:
        text = np.array2string(np.asarray(self.data), separator=", ", prefix="Tensor(")
        made = f", grad_fn=<{self.grad_fn.name()}>" if self.grad_fn else ", requires_grad=True"
        return f"Tensor({text}{made})" if self.requires_grad else f"Tensor({text})"


def attach(data: Any, node: Node | None = None) -> Tensor:
    """Return a Tensor for a plain value that a node computed; for the value of a leaf, the leaf itself."""
    leaf: Tensor | None = node.variable if isinstance(node, Leaf) else None
    if leaf is not None and leaf.data is data:
        return leaf
    tensor = object.__new__(Tensor)
    tensor.data, tensor.grad, tensor.node = data, None, node
    return tensor


def tensor_of(adjoint: Any) -> Any:
    """Return an adjoint as a Tensor; None stays None."""
    return adjoint if adjoint is None or isinstance(adjoint, Tensor) else attach(adjoint)


def adjoint_of(tensor: Any) -> Any:
    """Return the adjoint in a Tensor: the Tensor itself if the pass is recorded, otherwise its data."""
    return tensor if tensor is None or mode.recording else tensor.data


class Node:
    """A recorded operation: the values that its backward needs, and edges to the nodes of its operands."""

    __slots__ = ("adjoint", "edges", "hooks", "like", "number", "operation", "saved", "value")

    def __init__(self, operation: Any, edges: tuple[Any, ...], saved: tuple[Any, ...], output: Any) -> None:
        self.operation, self.number = operation, next(clock)
        self.edges = edges  # the node of each operand; None if it needs no gradient
        self.saved = saved  # plain values; None for values that backward does not need
        self.adjoint = self.hooks = cast(Any, None)  # a node has an adjoint only during a backward pass
        self.describe(output)

    def describe(self, output: Any) -> None:
        """Store the shape and dtype that a gradient must have (None: a float), and a small output."""
        self.like = None if type(output) is float else (output.shape, output.dtype)
        self.value = output if type(output) is float or output.size <= DRAWABLE else None

    def name(self) -> str:
        """Return the name of the node in PyTorch's style: `MulBackward` for Mul."""
        return f"{self.operation.__name__}Backward"

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"

    shape = property(lambda self: self.like[0] if self.like else (), doc="The output's shape.")

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """Pairs as in PyTorch: the node of an operand (None for a constant) and the index of its output."""
        return tuple((edge, 0) for edge in self.edges)

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """The values saved for backward, as Tensors that are connected to their nodes.

        Raises RuntimeError if a backward pass has freed them.
        """
        if self.adjoint is FREED:
            raise RuntimeError(SECOND_TIME)
        pairs = zip(self.saved, self.sources(), strict=False)
        return tuple([None if value is None else attach(value, node) for value, node in pairs])

    def sources(self) -> tuple[Node | None, ...]:
        """Return the node of each saved value: the nodes of the operands, then this node for the output."""
        return *self.edges, self

    def vjp(self, g: Any) -> tuple[Any, ...]:
        """Compute the gradients for the edges from the adjoint g: Tensors if g is one, else plain values."""
        saved = self.saved_tensors if mode.recording else self.saved
        pairs = zip(self.edges, self.operation.vjps, strict=True)
        return tuple([None if edge is None else vjp(g, *saved) for edge, vjp in pairs])

    def hand_out(self, g: Any) -> None:
        """Run backward: send each operand its gradient, computed from the complete adjoint g."""
        gradients = self.vjp(g)
        if self.hooks:
            gradients = tuple(map(adjoint_of, self.hooks(tuple(map(tensor_of, gradients)), (tensor_of(g),))))
        for edge, gradient in zip(self.edges, gradients, strict=True):
            if edge is not None and gradient is not None:
                edge.receive(gradient)

    def receive(self, gradient: Any) -> None:
        """Add a gradient to the adjoint: where paths meet, their contributions are added."""
        plain = gradient.data if type(gradient) is Tensor else gradient
        if type(plain) is not np.ndarray or self.like != (plain.shape, plain.dtype):
            gradient = self.fit(gradient)
        self.adjoint = gradient if self.adjoint is WAITING else self.adjoint + gradient

    def fit(self, gradient: Any) -> Any:
        """Convert a gradient to the shape and dtype of the output, as PyTorch does.

        Raises ValueError if the output's shape cannot be broadcast to the gradient's shape.
        """
        shape, dtype = self.like or ((), FLOAT64)
        gradient = gradient if shape_of(gradient) == shape else unbroadcast(gradient, shape)
        gradient = gradient if dtype_of(gradient) == dtype else gradient.astype(dtype)
        return gradient if mode.recording else settle(gradient)

    def free(self) -> None:
        """Free the saved values, if there are any; the node cannot run again."""
        for value in self.saved:  # faster than any() for so few values
            if value is not None:
                self.saved, self.adjoint = (), FREED

    def __call__(self, gradient: Tensor) -> tuple[Tensor | None, ...]:
        """Run only this node's backward: return the gradients of its operands for a gradient of its output.

        As with PyTorch's nodes, nothing is freed and no other node runs. Returns a tuple with one entry per
        edge. Raises TypeError if the gradient is not a Tensor, RuntimeError if the node was freed.
        """
        if not isinstance(gradient, Tensor):
            raise TypeError(f"a node takes a Tensor, but the gradient is of type {type(gradient).__name__}")
        _ = self.saved_tensors  # raises if they were freed
        with recording(False):
            returned = zip(self.edges, self.vjp(gradient.data), strict=True)
            return tuple(None if edge is None or g is None else attach(edge.fit(g)) for edge, g in returned)

    def register_hook(self, hook: Hook) -> Handle:
        """Call `hook(grad_inputs, grad_outputs)` after this node's backward.

        If the hook returns a tuple, it replaces grad_inputs. Returns a handle with `remove()`.
        """
        self.hooks = self.hooks or Hooks()
        return Handle(self.hooks, hook)


class BinaryNode(Node):
    """An operation on two operands, with separate slots for its edges and saved values.

    With tuples instead, Python's cyclic collector would see three times as many objects, and the collector is
    most of the cost of a large graph.
    """

    __slots__ = ("a", "b", "left", "right")
    edges = property(attrgetter("left", "right"))
    saved = property(attrgetter("a", "b"))
    __init__ = object.__init__  # `ops` fills the slots, faster than a call with so many arguments
    if TYPE_CHECKING:
        a = b = left = right = cast(Any, None)

    def hand_out(self, g: Any) -> None:
        """Run backward like any node, but written out for two operands; floats need no fitting."""
        if self.hooks:
            return super().hand_out(g)
        (by_a, by_b), left, right = self.operation.vjps, self.left, self.right
        if self.like is None and not mode.recording:
            if left is not None:
                left.adjoint += by_a(g, self.a, self.b)
            if right is not None:
                right.adjoint += by_b(g, self.a, self.b)
        else:
            a, b = self.saved_tensors if mode.recording else (self.a, self.b)
            if left is not None:
                left.receive(by_a(g, a, b))
            if right is not None:
                right.receive(by_b(g, a, b))

    def free(self) -> None:
        """Free the saved values, if there are any."""
        if self.a is not None or self.b is not None:
            self.a, self.b, self.adjoint = None, None, FREED


class Leaf(Node):
    """The node of a leaf: backward ends here, by adding the adjoint to the leaf's `.grad`."""

    __slots__ = ("reference",)

    def __init__(self, leaf: Tensor) -> None:
        super().__init__(None, (), (), leaf.data)
        self.reference = weakref.ref(leaf)  # the leaf owns its node; a strong reference would be a cycle

    variable = property(lambda self: self.reference(), doc="The leaf; None if it no longer exists.")

    def name(self) -> str:
        """Return PyTorch's name."""
        return "AccumulateGrad"

    def fit(self, gradient: Any) -> Any:
        """Convert a gradient to the shape and dtype that the leaf has now; its data may have changed."""
        leaf = self.reference()
        if leaf is not None and leaf.data is not self.value:
            self.describe(leaf.data)
        return super().fit(gradient)

    def vjp(self, g: Any) -> tuple[()]:
        """Add the adjoint to the leaf's `.grad`; a leaf has no edges."""
        leaf = self.reference()
        if leaf is not None:
            first = leaf.grad is None  # then a copy, because others may hold the array
            leaf.grad = tensor_of(g.copy() if type(g) is np.ndarray else g) if first else leaf.grad + g
        return ()


def collect(roots: Sequence[Node], order: list[Node]) -> None:
    """Append every node that can be reached from the roots once, operands first, and mark it as waiting."""
    stack: list[Node | None] = [*roots]
    while stack:
        node = stack.pop()
        while node is not None and node.adjoint is not WAITING:
            if node.adjoint is not None:
                at_work = f"{node.name()} is running in another backward pass, which called this one"
                raise RuntimeError(SECOND_TIME if node.adjoint is FREED else at_work)
            node.adjoint = WAITING
            order.append(node)
            if isinstance(node, BinaryNode):
                if node.right is not None:
                    stack.append(node.right)
                node = node.left  # a chain is followed without the stack, and without a tuple a node
            else:
                stack += node.edges
                break
    order.sort(key=attrgetter("number"))


def leading_to(wanted: Collection[Node], order: Sequence[Node]) -> set[Node]:
    """Return the nodes from which a path leads to a wanted node."""
    leading, reaching = set[Node](), {*wanted}
    for node in order:
        if not reaching.isdisjoint(node.edges):
            reaching.add(node)
            leading.add(node)
    return leading


def propagate(seeds: Any, wanted: Collection[Node] | None, retain_graph: bool | None) -> dict[Node, Any]:
    """Run the backward pass from the seeds; return the adjoints of the wanted nodes, or fill all `.grad`.

    `seeds` are pairs of a node and its adjoint. A node may run only after all nodes that use its output. The
    reverse order of creation guarantees that. Adjoints are plain values; if mode.recording is on, they are
    Tensors, the pass itself is recorded, and nothing is freed unless retain_graph is False.
    """
    caught, order = dict[Node, Any](), list[Node]()
    retained = mode.recording if retain_graph is None else retain_graph
    try:
        collect([node for node, _ in seeds], order)
        running = None if wanted is None else leading_to(wanted, order)
        for node, seed in seeds:
            node.receive(seed)
        while order:
            node = order.pop()
            adjoint, node.adjoint = node.adjoint, None
            if adjoint is WAITING:  # the node received nothing
                continue
            if wanted is not None and node in wanted:
                caught[node] = adjoint
            if running is None or node in running:
                node.hand_out(adjoint)
                if not retained:
                    node.free()
    finally:
        for node in order:
            node.adjoint = None
    return caught


def seed_for(output: Tensor, gradient: Tensor | None) -> tuple[Node, Any]:
    """Return the node and the adjoint that a pass starts with: the given one, or 1 for a single entry."""
    if output.node is None:
        raise RuntimeError("this Tensor does not require a gradient, and neither does any of its leaves")
    if gradient is None:
        if output.size != 1:
            raise RuntimeError(f"pass a gradient: only a single entry needs none, not shape {output.shape}")
        gradient = attach(settle(np.ones_like(output.data)))
    if not isinstance(gradient, Tensor):
        raise TypeError(f"a gradient must be a Tensor, not of type {type(gradient).__name__}")
    if gradient.shape != output.shape:
        raise RuntimeError(f"the gradient has shape {gradient.shape}, but the output has {output.shape}")
    return output.node, adjoint_of(gradient)


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> tuple[Any, ...]:
    """Return the derivatives of the sum of the outputs with respect to each input; no `.grad` is changed.

    `grad_outputs` has an adjoint for each output; for a single entry the default is 1. Only nodes on a path
    to the inputs run. Raises RuntimeError for an unused input; with allow_unused it gets None instead.
    """
    outputs, inputs = several(outputs), several(inputs)
    seeds = (None,) * len(outputs) if grad_outputs is None else several(grad_outputs)
    if len(seeds) != len(outputs):
        raise RuntimeError(f"{len(outputs)} outputs need as many grad_outputs, not {len(seeds)}")
    nodes = [x.node for x in inputs if x.node is not None]
    if len(nodes) < len(inputs):
        raise RuntimeError("one of the inputs does not require a gradient: create it with requires_grad=True")
    with recording(create_graph):
        pairs = [seed_for(y, g) for y, g in zip(outputs, seeds, strict=True)]
        caught = propagate(pairs, {*nodes}, retain_graph)
    if not allow_unused and not caught.keys() >= {*nodes}:
        raise RuntimeError("one of the inputs was not used: set allow_unused=True to get None for it")
    return tuple(tensor_of(caught.get(node)) for node in nodes)


def several(things: Any) -> tuple[Any, ...]:
    """Return one or several Tensors as a tuple."""
    return (things,) if isinstance(things, Tensor) else tuple(things)
