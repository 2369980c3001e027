"""Tensors: a value, and the place in the graph that it came from."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from course.engine.node import Handle, Node, brief, mode
from course.engine.values import FLOAT64, dtype_of, is_floating, settle, shape_of

new = object.__new__


def handed(gradients: tuple[Tensor | None, ...]) -> tuple[Any, ...]:
    """Return what the Tensors hold that a node is called with. Raises TypeError for anything else."""
    for i, g in enumerate(gradients):
        if g is not None and not isinstance(g, Tensor):
            raise TypeError(f"a node takes Tensors, and gradient {i} is of type {type(g).__name__}")
    return tuple(g if g is None else g.data for g in gradients)


class AccumulateGrad(Node):
    """The node of a leaf: backward ends here, by adding the adjoint to the leaf's `.grad`."""

    __slots__ = ("reference",)

    def __init__(self, leaf: Tensor) -> None:
        super().__init__((), (), brief(leaf.data))
        self.reference = weakref.ref(leaf)  # the leaf owns its node; a strong reference would be a cycle

    @property
    def variable(self) -> Tensor | None:
        """The leaf, or None if nobody holds it any more."""
        return self.reference()

    def look(self) -> None:
        """Take note of the data that the leaf has now: it may have been given other data since."""
        leaf = self.reference()
        if leaf is not None:
            self.output = brief(leaf.data)

    def name(self) -> str:
        """Return PyTorch's name."""
        return "AccumulateGrad"

    def __call__(self, gradient: Tensor) -> tuple[()]:
        """Add a gradient to the leaf's `.grad`. Raises TypeError for what is not a Tensor."""
        (value,) = handed((gradient,))
        return self.vjp(value, ())

    def vjp(self, cotangent: Any, saved: Any) -> tuple[()]:
        """Add to the leaf's `.grad`; there is nowhere further to go."""
        leaf = self.reference()
        if leaf is None:
            return ()
        if leaf.grad is None:  # others may have been given the same array: the leaf gets its own
            leaf.grad = tensor_of(cotangent.copy() if type(cotangent) is np.ndarray else cotangent)
        elif isinstance(cotangent, Tensor) or leaf.grad.node is not None:
            leaf.grad = leaf.grad + cotangent
        else:
            leaf.grad.data = leaf.grad.data + cotangent
        return ()


class Tensor:
    """A number or an array, and the place in the graph that it came from.

    `data` is a Python float, or a NumPy array (copied when given). Floats are float64; float32 is kept;
    integers and booleans have no gradient. Raises TypeError for complex numbers, RuntimeError when a gradient
    is asked for something that cannot have one. Operators and further methods come from `methods`.
    """

    __slots__ = ("__weakref__", "data", "grad", "node")
    __array_ufunc__ = None  # so that `array * tensor` comes to Tensor.__rmul__

    if TYPE_CHECKING:  # what `methods` fills in
        __add__ = __sub__ = __mul__ = __truediv__ = __pow__ = __matmul__ = cast(Any, None)
        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rpow__ = __rmatmul__ = cast(Any, None)
        __neg__ = __abs__ = __getitem__ = __lt__ = __le__ = __gt__ = __ge__ = __and__ = cast(Any, None)

        def __getattr__(self, name: str) -> Any: ...

    data: Any
    grad: Any  # a Tensor or None
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
                "requires_grad can be changed on a leaf only; detach() gives a Tensor without a graph"
            )
        if wanted and not is_floating(self.data):
            raise RuntimeError(
                f"only floats can require gradients, and this is {self.dtype}: write 1.0 for 1"
            )
        if wanted != self.requires_grad:
            self.node = AccumulateGrad(self) if wanted else None

    @property
    def is_leaf(self) -> bool:
        """Whether no operation made this Tensor (or none that was recorded)."""
        return self.node is None or type(self.node) is AccumulateGrad

    @property
    def grad_fn(self) -> Node | None:
        """The node that made this Tensor; None for a leaf."""
        return None if self.is_leaf or self.node is None else self.node.source()[0]

    @property
    def output_nr(self) -> int:
        """Which output of grad_fn this is."""
        return 0 if self.node is None else self.node.source()[1]

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
        """Have `hook(gradient)` called when the gradient is complete; what it returns replaces it."""
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
        if self.grad_fn is not None:
            return f"Tensor({text}, grad_fn=<{self.grad_fn.name()}>)"
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


def tensor_of(adjoint: Any) -> Any:
    """Show an adjoint as a Tensor; None, which is no adjoint, as None."""
    return adjoint if adjoint is None or isinstance(adjoint, Tensor) else attach(adjoint)


def adjoint_of(tensor: Any) -> Any:
    """Take an adjoint from a Tensor: the Tensor itself where the pass is recorded, else its data."""
    return tensor if tensor is None or mode.recording else tensor.data
