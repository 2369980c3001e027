"""Tensors, the graph that computing with them leaves behind, and the loop that runs through it backwards."""

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

DRAWABLE = 16  # entries: a node keeps an output of this size at most, for pictures
# The adjoint of a node that a pass will visit, a zero of its own; and of one whose saved values are gone.
WAITING, FREED = float("0"), object()
SECOND_TIME = "Trying to backward through the graph a second time: the first pass needed retain_graph=True"
clock = itertools.count(1)  # one for all nodes: what is made later has the larger number


class Tensor:
    """A number or an array, and the place in the graph that it came from.

    `data` is a Python float, or a NumPy array (copied when given). Floats are float64; float32 is kept;
    integers and booleans have no gradient. `grad` is a Tensor or None. `node` is where a gradient for this
    Tensor goes: None if none is wanted, else the node that made it, or a leaf's own. Raises TypeError for
    what is not a real number, RuntimeError when a gradient is wanted of something that cannot have one.
    Operators and further methods come from `ops`.
    """

    __slots__ = ("__weakref__", "data", "grad", "node")
    __array_ufunc__ = None  # so that `array * tensor` comes to Tensor.__rmul__

    if TYPE_CHECKING:  # what `ops` fills in
        __add__ = __sub__ = __mul__ = __truediv__ = __pow__ = __matmul__ = __getitem__ = cast(Any, None)
        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rpow__ = __rmatmul__ = __neg__ = cast(Any, None)
        __lt__ = __le__ = __gt__ = __ge__ = cast(Any, None)

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, data: Any, requires_grad: bool = False) -> None:
        if isinstance(data, Tensor):
            raise TypeError("this is a Tensor already; detach() gives one with its data and no graph")
        self.data: Any = settle(data.copy() if isinstance(data, np.ndarray) else data)
        if requires_grad and not is_floating(self.data):
            raise RuntimeError(f"only floats can require gradients, not {self.dtype}: write 1.0 for 1")
        self.grad: Any = None
        self.node: Node | None = Leaf(self) if requires_grad else None

    shape = property(lambda self: shape_of(self.data), doc="The shape; () for a number.")
    dtype = property(lambda self: dtype_of(self.data), doc="NumPy's dtype; float64 for a Python float.")
    ndim = property(lambda self: len(self.shape), doc="The number of axes.")
    size = property(lambda self: int(np.size(self.data)), doc="The number of entries.")
    requires_grad = property(lambda self: self.node is not None, doc="Whether a gradient is wanted.")
    is_leaf = property(lambda self: isinstance(self.node, Leaf | None), doc="Whether no operation made it.")
    grad_fn = property(lambda self: None if self.is_leaf else self.node, doc="What made it.")

    def item(self) -> Any:
        """Return the one entry as a Python number. Raises RuntimeError if there are more."""
        if self.size != 1:
            raise RuntimeError(f"item() needs exactly one entry, and this Tensor has {self.size}")
        return np.asarray(self.data).item()

    def detach(self) -> Tensor:
        """Return a Tensor with the same data and no graph."""
        return attach(self.data)

    def backward(self, gradient: Any = None, retain_graph: Any = None, create_graph: bool = False) -> None:
        """Add to the `.grad` of each leaf the derivative of this Tensor, or of its product with `gradient`.

        What nodes saved is freed on the way, unless retain_graph; with create_graph the gradients have a
        graph of their own. Raises RuntimeError if there are several entries and no gradient is given, or if
        there is no graph (any more).
        """
        with recording(create_graph):
            propagate([seed_for(self, gradient)], None, retain_graph)

    def __repr__(self) -> str:
        text = np.array2string(np.asarray(self.data), separator=", ", prefix="Tensor(")
        made = f", grad_fn=<{self.grad_fn.name()}>" if self.grad_fn else ", requires_grad=True"
        return f"Tensor({text}{made})" if self.requires_grad else f"Tensor({text})"


def attach(data: Any, node: Node | None = None) -> Tensor:
    """Make a Tensor of a plain value that a node made; a leaf's own value gives the leaf itself."""
    leaf: Tensor | None = node.variable if isinstance(node, Leaf) else None
    if leaf is not None and leaf.data is data:
        return leaf
    tensor = object.__new__(Tensor)
    tensor.data, tensor.grad, tensor.node = data, None, node
    return tensor


def tensor_of(adjoint: Any) -> Any:
    """Show an adjoint as a Tensor; None, which is no adjoint, as None."""
    return adjoint if adjoint is None or isinstance(adjoint, Tensor) else attach(adjoint)


def adjoint_of(tensor: Any) -> Any:
    """Take an adjoint from a Tensor: the Tensor itself where the pass is recorded, else its data."""
    return tensor if tensor is None or mode.recording else tensor.data


class Node:
    """An operation that took place: what its backward needs, and edges to what made its operands."""

    __slots__ = ("adjoint", "edges", "hooks", "like", "number", "operation", "saved", "value")

    def __init__(self, operation: Any, edges: tuple[Any, ...], saved: tuple[Any, ...], output: Any) -> None:
        self.operation, self.number = operation, next(clock)
        self.edges = edges  # for each operand its node; None where no gradient is wanted
        self.saved = saved  # plain values; None for those that are not needed
        self.adjoint = self.hooks = cast(Any, None)  # an adjoint is there during a backward pass only
        self.describe(output)

    def describe(self, output: Any) -> None:
        """Note the shape and dtype that a gradient must have (None: a float), and the output, if small."""
        self.like = None if type(output) is float else (output.shape, output.dtype)
        self.value = output if type(output) is float or output.size <= DRAWABLE else None

    def name(self) -> str:
        """Return the node's name as PyTorch would give it: `MulBackward` for Mul."""
        return f"{self.operation.__name__}Backward"

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"

    shape = property(lambda self: self.like[0] if self.like else (), doc="The output's shape.")

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """Pairs, as in PyTorch: the node that made an operand (None for a constant), its output's number."""
        return tuple((edge, 0) for edge in self.edges)

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What was saved for backward, as Tensors that know where they came from.

        Raises RuntimeError when a backward pass has freed it.
        """
        if self.adjoint is FREED:
            raise RuntimeError(SECOND_TIME)
        pairs = zip(self.saved, self.sources(), strict=False)
        return tuple([None if value is None else attach(value, node) for value, node in pairs])

    def sources(self) -> tuple[Node | None, ...]:
        """Return, for each saved value, the node that made it: those of the operands, and of the output."""
        return *self.edges, self

    def vjp(self, g: Any) -> tuple[Any, ...]:
        """Make the gradients for the edges from the output's adjoint g: Tensors if g is one, else plain."""
        saved = self.saved_tensors if mode.recording else self.saved
        pairs = zip(self.edges, self.operation.vjps, strict=True)
        return tuple([None if edge is None else vjp(g, *saved) for edge, vjp in pairs])

    def hand_out(self, g: Any) -> None:
        """Run backward: from the node's adjoint g, now complete, give each operand its gradient."""
        gradients = self.vjp(g)
        if self.hooks:
            gradients = tuple(map(adjoint_of, self.hooks(tuple(map(tensor_of, gradients)), (tensor_of(g),))))
        for edge, gradient in zip(self.edges, gradients, strict=True):
            if edge is not None and gradient is not None:
                edge.receive(gradient)

    def receive(self, gradient: Any) -> None:
        """Add a gradient to the adjoint: where paths meet, what they bring adds up."""
        plain = gradient.data if type(gradient) is Tensor else gradient
        if type(plain) is not np.ndarray or self.like != (plain.shape, plain.dtype):
            gradient = self.fit(gradient)
        self.adjoint = gradient if self.adjoint is WAITING else self.adjoint + gradient

    def fit(self, gradient: Any) -> Any:
        """Bring a gradient to the output's shape and dtype, as PyTorch does.

        Raises ValueError where the shape is not one that broadcasting could have made of the output's.
        """
        shape, dtype = self.like or ((), FLOAT64)
        gradient = gradient if shape_of(gradient) == shape else unbroadcast(gradient, shape)
        gradient = gradient if dtype_of(gradient) == dtype else gradient.astype(dtype)
        return gradient if mode.recording else settle(gradient)

    def free(self) -> None:
        """Let go of what was saved, if anything was: the node cannot run again."""
        for value in self.saved:  # any() would take longer for the few there are
            if value is not None:
                self.saved, self.adjoint = (), FREED

    def __call__(self, gradient: Tensor) -> tuple[Tensor | None, ...]:
        """Run this node's backward alone: from the gradient of its output to those of its operands.

        As with PyTorch's nodes, nothing is freed and no other node runs. Always a tuple, one for each edge.
        Raises TypeError for a gradient that is no Tensor, RuntimeError if the node was freed.
        """
        if not isinstance(gradient, Tensor):
            raise TypeError(f"a node takes a Tensor, and the gradient is of type {type(gradient).__name__}")
        _ = self.saved_tensors  # raises if they were freed
        with recording(False):
            returned = zip(self.edges, self.vjp(gradient.data), strict=True)
            return tuple(None if edge is None or g is None else attach(edge.fit(g)) for edge, g in returned)

    def register_hook(self, hook: Hook) -> Handle:
        """Have `hook(grad_inputs, grad_outputs)` called after this node's backward.

        A tuple that it returns takes the place of grad_inputs. Returns a handle, with `remove()`.
        """
        self.hooks = self.hooks or Hooks()
        return Handle(self.hooks, hook)


class BinaryNode(Node):
    """An operation on two operands, whose edges and saved values lie in slots of their own.

    Tuples for them would triple what Python's cyclic collector sees, which is most of a large graph's cost.
    """

    __slots__ = ("a", "b", "left", "right")
    edges = property(attrgetter("left", "right"))
    saved = property(attrgetter("a", "b"))
    if TYPE_CHECKING:
        a = b = left = right = cast(Any, None)

    def hand_out(self, g: Any) -> None:
        """Run backward: as any node, but written out; and floats need no fitting."""
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
            for edge, by in ((left, by_a), (right, by_b)):
                if edge is not None:
                    edge.receive(by(g, a, b))

    def free(self) -> None:
        """Let go of what was saved, if anything was."""
        if self.a is not None or self.b is not None:
            self.a, self.b, self.adjoint = None, None, FREED


class Leaf(Node):
    """The node of a leaf: backward ends here, by adding the adjoint to the leaf's `.grad`."""

    __slots__ = ("reference",)

    def __init__(self, leaf: Tensor) -> None:
        super().__init__(None, (), (), leaf.data)
        self.reference = weakref.ref(leaf)  # the leaf owns its node; a strong reference would be a cycle

    variable = property(lambda self: self.reference(), doc="The leaf; None if nobody holds it any more.")

    def hand_out(self, g: Any) -> None:
        """Run backward; the hooks see what came, and there is nothing to replace."""
        self.vjp(g)
        if self.hooks:
            self.hooks((), (tensor_of(g),))

    def name(self) -> str:
        """Return PyTorch's name."""
        return "AccumulateGrad"

    def fit(self, gradient: Any) -> Any:
        """Bring a gradient to the shape and dtype that the leaf has now: its data may have been replaced."""
        leaf = self.reference()
        if leaf is not None and leaf.data is not self.value:
            self.describe(leaf.data)
        return super().fit(gradient)

    def vjp(self, g: Any) -> tuple[()]:
        """Add to the leaf's `.grad`; there is nowhere further to go."""
        leaf = self.reference()
        if leaf is not None and leaf.grad is None:  # others may hold the same array: the leaf gets its own
            leaf.grad = tensor_of(g.copy() if type(g) is np.ndarray else g)
        elif leaf is not None:
            leaf.grad = leaf.grad + g
        return ()


def collect(roots: Sequence[Node], order: list[Node]) -> None:
    """Append every node that the roots lead to, once, operands before results, and mark it as waiting."""
    stack: list[Node | None] = [*roots]
    while stack:
        node = stack.pop()
        if node is None or node.adjoint is WAITING:
            continue
        if node.adjoint is not None:
            at_work = f"{node.name()} is at work in another backward pass, which called this one"
            raise RuntimeError(SECOND_TIME if node.adjoint is FREED else at_work)
        node.adjoint = WAITING
        order.append(node)
        stack += node.edges
    order.sort(key=attrgetter("number"))


def leading_to(wanted: Collection[Node], order: Sequence[Node]) -> set[Node]:
    """Return the nodes of which an operand is wanted, or leads to one that is."""
    leading, reaching = set[Node](), {*wanted}
    for node in order:
        if not reaching.isdisjoint(node.edges):
            reaching.add(node)
            leading.add(node)
    return leading


def propagate(seeds: Any, wanted: Collection[Node] | None, retain_graph: bool | None) -> dict[Node, Any]:
    """Send adjoints down from the seeds; return those of nodes wanted, or fill all leaves' `.grad`.

    `seeds` are pairs of a node and its adjoint. A node runs when all that used its output have run: in
    falling order of creation that is always so. Adjoints are plain values, or Tensors while mode.recording
    is on: then the pass itself leaves a graph, and nothing is freed unless retain_graph says so.
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
            if adjoint is WAITING:  # nothing has come here
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
    """Return the node and the adjoint that a pass starts from: 1 for a single entry, else the one given."""
    if output.node is None:
        raise RuntimeError("this Tensor does not require a gradient: no leaf that it was computed from does")
    if gradient is None:
        if type(output.data) is float:
            return output.node, adjoint_of(attach(1.0))
        if output.size != 1:
            raise RuntimeError(f"only a single entry needs no gradient given, and shape {output.shape} does")
        gradient = attach(np.ones_like(output.data))
    if not isinstance(gradient, Tensor):
        raise TypeError(f"gradients are given as Tensors, not as {type(gradient).__name__}")
    if gradient.shape != output.shape:
        raise RuntimeError(f"the gradient given has shape {gradient.shape}, and the output {output.shape}")
    return output.node, adjoint_of(gradient)


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> tuple[Any, ...]:
    """Return the derivatives of the outputs' sum with respect to each input; no `.grad` is touched.

    Each output may have an adjoint in `grad_outputs`; a single entry's is 1. Runs only the nodes that lead to
    the inputs. Raises RuntimeError for an input that was not used, unless allow_unused: then it gets None.
    """
    outputs, inputs = several(outputs), several(inputs)
    seeds = (None,) * len(outputs) if grad_outputs is None else several(grad_outputs)
    if len(seeds) != len(outputs):
        raise RuntimeError(f"{len(outputs)} outputs have {len(seeds)} grad_outputs: one for each is needed")
    nodes = [x.node for x in inputs if x.node is not None]
    if len(nodes) < len(inputs):
        raise RuntimeError("one of the inputs does not require a gradient: make it with requires_grad=True")
    with recording(create_graph):
        pairs = [seed_for(y, g) for y, g in zip(outputs, seeds, strict=True)]
        caught = propagate(pairs, {*nodes}, retain_graph)
    if not allow_unused and not caught.keys() >= {*nodes}:
        raise RuntimeError("one of the inputs was not used: with allow_unused=True it gets None")
    return tuple(tensor_of(caught.get(node)) for node in nodes)


def several(things: Any) -> tuple[Any, ...]:
    """Return one Tensor, or several, as a tuple."""
    return (things,) if isinstance(things, Tensor) else tuple(things)
