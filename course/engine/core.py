"""Tensors, and the nodes between them: the graph that a computation leaves behind."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from course.engine.values import FLOAT64, dtype_of, is_floating, settle, shape_of, unbroadcast

if TYPE_CHECKING:
    from course.engine.methods import Methods
else:

    class Methods:
        """What course.engine.methods installs: operators and methods made of operations."""

        __slots__ = ()


tick = itertools.count(1).__next__  # one clock for all: what is made later has the larger number
new = object.__new__
DRAWABLE = 16  # entries: nodes keep outputs up to this size, for pictures


class Mode:
    """Whether operations on Tensors are being recorded."""

    recording = True


@contextmanager
def recording(on: bool) -> Iterator[None]:
    """Switch the recording of operations on or off inside a `with` block."""
    before = Mode.recording
    Mode.recording = on
    try:
        yield
    finally:
        Mode.recording = before


def no_grad() -> Any:
    """Compute without recording: the results inside `with no_grad():` require no gradient."""
    return recording(False)


class Node:
    """An operation that took place: what its backward needs, and edges to the nodes that made its inputs.

    `edges` holds one node (or None, where no gradient is wanted) for each Tensor given, in order.
    `saved` holds plain values; `saved_tensors` makes Tensors of them that know where they came from.
    `adjoint` is None but during a backward pass. `value` is the output where it is a number or a small
    array, else None: a node must not keep large arrays alive only to have them looked at.
    """

    __slots__ = ("_dtype", "_shape", "adjoint", "edges", "hooks", "number", "saved", "value")

    edges: tuple[Node | None, ...]
    saved: tuple[Any, ...] | None
    adjoint: Any
    number: int
    value: Any
    hooks: Hooks | None

    def vjp(self, cotangent: Any, saved: tuple[Any, ...]) -> Any:
        """Give the vector-Jacobian product for each edge, of plain values or of Tensors as the arguments are."""
        raise NotImplementedError

    def name(self) -> str:
        """Return the node's name as PyTorch would give it: `MulBackward` for Mul."""
        return f"{type(self).__name__}Backward"

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """The (node, number of its output) that made each Tensor given; (None, 0) for constants."""
        return tuple((None, 0) if edge is None else edge.source() for edge in self.edges)

    def source(self) -> tuple[Node, int]:
        """Return the node and the number of its output that an edge to here stands for."""
        return self, 0

    def sources(self) -> tuple[Node | None, ...]:
        """Return the nodes that made the saved values."""
        return ()

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What was saved for backward. Raises RuntimeError when a backward pass has freed it."""
        if self.saved is None:
            raise RuntimeError(FREED)
        pairs = zip(self.saved, self.sources(), strict=True)
        return tuple(None if value is None else attach(value, node) for value, node in pairs)

    def output(self, value: Any) -> None:
        """Take note of the value that came out: its shape and dtype, which its gradient must have."""
        if type(value) is float:
            self.value = value
        else:
            self._shape, self._dtype = shape_of(value), dtype_of(value)
            self.value = value if value.size <= DRAWABLE else None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the output."""
        return () if type(self.value) is float else self._shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the output."""
        return FLOAT64 if type(self.value) is float else self._dtype

    def fit(self, gradient: Any) -> Any:
        """Bring a gradient to the output's shape and dtype, as PyTorch does."""
        gradient = unbroadcast(gradient, self.shape)
        if dtype_of(gradient) != self.dtype:
            gradient = gradient.astype(self.dtype)
        return gradient if isinstance(gradient, Tensor) else settle(gradient)

    def register_hook(self, hook: Callable[[Any, Any], Any]) -> Handle:
        """Have `hook(grad_inputs, grad_outputs)` called after this node's backward.

        A tuple that it returns takes the place of grad_inputs.
        """
        return Handle(self.own_hooks().after, hook)

    def own_hooks(self) -> Hooks:
        """Return the node's hooks, making a place for them if it has none."""
        if self.hooks is None:
            self.hooks = Hooks()
        return self.hooks


FREED = (
    "Trying to backward through the graph a second time, but the values it saved were freed by the first pass. "
    "Say retain_graph=True in the first backward() or grad() if you need a second."
)


class Hooks:
    """Functions to call before and after a node's backward, in order of registration."""

    __slots__ = ("after", "before", "retain")

    def __init__(self) -> None:
        self.before: dict[int, Callable[[Any], Any]] = {}
        self.after: dict[int, Callable[[Any, Any], Any]] = {}
        self.retain: weakref.ref[Tensor] | None = None


class Handle:
    """What registering a hook returns: `remove()` takes the hook away again."""

    def __init__(self, hooks: dict[int, Any], hook: Any) -> None:
        self.hooks, self.key = hooks, tick()
        hooks[self.key] = hook

    def remove(self) -> None:
        """Take the hook away; doing so twice is harmless."""
        self.hooks.pop(self.key, None)


class AccumulateGrad(Node):
    """The node of a leaf: backward ends here, by adding the adjoint to the leaf's `.grad`."""

    __slots__ = ("reference",)

    def __init__(self, variable: Tensor) -> None:
        self.edges = self.saved = ()
        self.adjoint = self.hooks = self.value = None
        self.number = tick()
        self.reference = weakref.ref(variable)  # the leaf owns its node; a strong reference would be a cycle

    @property
    def variable(self) -> Tensor | None:
        """The leaf, or None if nobody holds it any more."""
        return self.reference()

    def name(self) -> str:
        """Return PyTorch's name."""
        return "AccumulateGrad"

    @property
    def shape(self) -> tuple[int, ...]:
        """The leaf's shape, whatever `.data` is by now."""
        return shape_of(self.variable)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The leaf's dtype."""
        return dtype_of(self.variable)

    def fit(self, gradient: Any) -> Any:
        """Bring a gradient to the leaf's shape and dtype."""
        leaf = self.reference()
        if leaf is None or type(leaf.data) is float is type(gradient):
            return gradient
        return super().fit(gradient)

    def vjp(self, cotangent: Any, saved: tuple[Any, ...]) -> tuple[()]:
        """Add to the leaf's `.grad`; there is nowhere further to go."""
        leaf = self.reference()
        if leaf is None:
            return ()
        if leaf.grad is None:
            leaf.grad = cotangent if isinstance(cotangent, Tensor) else attach(settle(np.copy(cotangent)))
        elif isinstance(cotangent, Tensor) or leaf.grad.node is not None:
            leaf.grad = leaf.grad + cotangent
        else:
            leaf.grad.data = leaf.grad.data + cotangent
        return ()


class Tensor(Methods):
    """A number or an array, and the place in the graph that it came from.

    `data` is a Python float, or a NumPy array (copied when given). Floats are float64; float32 is kept;
    integers and booleans have no gradient. Raises TypeError for complex numbers, RuntimeError when a gradient
    is asked for something that cannot have one.
    """

    __slots__ = ("__weakref__", "data", "grad", "node")
    __array_ufunc__ = None  # so that `array * tensor` comes to Tensor.__rmul__

    data: Any
    grad: Tensor | None
    node: Node | None

    def __init__(self, data: Any, requires_grad: bool = False) -> None:
        if isinstance(data, Tensor):
            raise TypeError(
                "this is a Tensor already; detach() gives one that shares its data, without a graph"
            )
        self.data = settle(data.copy() if isinstance(data, np.ndarray) else data)
        self.grad = self.node = None
        self.requires_grad = requires_grad

    @property
    def requires_grad(self) -> bool:
        """Whether a gradient is wanted: of a leaf that said so, and of all that was computed from it."""
        return self.node is not None

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        if not self.is_leaf:
            raise RuntimeError(
                "requires_grad can be changed on a leaf only; use detach() for a Tensor without a graph"
            )
        if wanted and not is_floating(self.data):
            raise RuntimeError(
                f"only floats can require gradients, and this is {self.dtype}: say 1.0 instead of 1"
            )
        if wanted != (self.node is not None):
            self.node = AccumulateGrad(self) if wanted else None

    @property
    def grad_fn(self) -> Node | None:
        """The node that made this Tensor; None for a leaf."""
        return None if self.is_leaf or self.node is None else self.node.source()[0]

    @property
    def output_nr(self) -> int:
        """Which output of grad_fn this is."""
        return 0 if self.node is None else self.node.source()[1]

    @property
    def is_leaf(self) -> bool:
        """Whether no operation made this Tensor (or none that was recorded)."""
        return self.node is None or type(self.node) is AccumulateGrad

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape; () for a number."""
        return shape_of(self.data)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of entries."""
        return int(np.size(self.data))

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's dtype; float64 for a Python float."""
        return dtype_of(self.data)

    def item(self) -> Any:
        """Return the one entry as a Python number. Raises RuntimeError if there are more."""
        if self.size != 1:
            raise RuntimeError(f"item() needs exactly one entry, and this Tensor has {self.size}")
        return np.asarray(self.data).item()

    def detach(self) -> Tensor:
        """Return a Tensor with the same data and no graph."""
        return attach(self.data)

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Handle:
        """Have `hook(gradient)` called when this Tensor's gradient is complete; what it returns replaces it."""
        if self.node is None:
            raise RuntimeError("a hook can be registered only on a Tensor that requires a gradient")
        return Handle(self.node.own_hooks().before, hook)

    def retain_grad(self) -> None:
        """Have `.grad` filled though this is not a leaf."""
        if self.node is None:
            raise RuntimeError("retain_grad() needs a Tensor that requires a gradient")
        if not self.is_leaf:
            self.node.own_hooks().retain = weakref.ref(self)

    def __repr__(self) -> str:
        text = np.array2string(np.asarray(self.data), separator=", ", prefix="Tensor(")
        if self.dtype not in (FLOAT64, np.dtype(int), np.dtype(bool)):
            text += f", dtype={self.dtype}"
        grad_fn = self.grad_fn
        if grad_fn is not None:
            return f"Tensor({text}, grad_fn=<{grad_fn.name()}>)"
        return f"Tensor({text}, requires_grad=True)" if self.requires_grad else f"Tensor({text})"


def attach(data: Any, node: Node | None = None) -> Tensor:
    """Make a Tensor of a plain value that a node made; a leaf's own value gives the leaf itself."""
    if isinstance(node, AccumulateGrad):
        leaf = node.reference()
        if leaf is not None and leaf.data is data:
            return leaf
    tensor = new(Tensor)
    tensor.data, tensor.grad, tensor.node = data, None, node
    return tensor
