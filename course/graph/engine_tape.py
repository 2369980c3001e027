"""Reading the engine's tape: the same names as PyTorch's, but nodes that keep what they computed.

A node keeps what its backward needs, and the engine's operations have the rest in their closures: axes,
shapes, keys. A constant that backward does not need (the 1 in `x + 1`) is recovered from operand and output.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from course.engine import Tensor, grad, no_grad
from course.engine.function import FunctionNode
from course.graph.model import ENTRIES, Rule, Value, of_array
from course.graph.tape import Firing, Gradients, Sweep, returned_by, shortest, unusable

ELEMENTWISE = {"Add", "Sub", "Mul", "Div", "Power", "Neg", "Abs", "Exp", "Log", "Sin", "Cos", "Tanh", "Sqrt"}
ELEMENTWISE |= {"Sigmoid", "Relu"}


class EngineTape:
    """The engine's tape, as `course.graph.tape.Tape` asks for it."""

    source: Literal["engine", "torch", "values"] = "engine"

    def is_tensor(self, thing: Any) -> bool:
        """Tell whether `thing` is the engine's Tensor."""
        return isinstance(thing, Tensor)

    def parameters(self, thing: Any) -> Iterable[tuple[str, Any]]:
        """Give nothing: the engine has no modules."""
        return ()

    def living(self) -> list[Any]:
        """Give nothing: the engine's nodes keep what they computed."""
        return []

    def origin(self, tensor: Any) -> tuple[Any, int] | None:
        """Give the node; each has one output."""
        return None if tensor.node is None else (tensor.node, 0)

    def operands(self, function: Any) -> Sequence[tuple[Any, int]]:
        """Give next_functions, less the leaves that nobody holds any more: nobody can see their gradient."""
        found = function.next_functions
        return [
            (None, 0) if f and f.name() == "AccumulateGrad" and f.variable is None else (f, i)
            for f, i in found
        ]

    def leaf(self, function: Any) -> Any:
        """Give an AccumulateGrad node's variable."""
        return function.variable if function.name() == "AccumulateGrad" else None

    def operation(self, function: Any) -> str:
        """Name the operation: Mul is mul; a Function written by the user keeps the name of its class."""
        if self.custom(function):
            return str(function.operation.__name__)
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", function.name().removesuffix("Backward")).lower()

    def custom(self, function: Any) -> bool:
        """Tell whether the node is a call of a Function."""
        return isinstance(function, FunctionNode)

    def number(self, function: Any) -> int:
        """Give the node's number."""
        return int(function.number)

    def needs_grad(self, function: Any) -> tuple[bool, ...] | None:
        """Give a Function's ctx.needs_input_grad."""
        return tuple(function.ctx.needs_input_grad) if self.custom(function) else None

    def shapes(self, function: Any) -> Sequence[tuple[int, ...] | None]:
        """Give the shape of the one output."""
        return (function.shape,)

    def saved(self, function: Any) -> Sequence[tuple[str, Any]]:
        """List saved_tensors; they have no names."""
        try:
            return [("", tensor) for tensor in function.saved_tensors if tensor is not None]
        except RuntimeError as error:
            raise unusable(error) from None

    def context(self, function: Any) -> Sequence[tuple[str, str]]:
        """List what a Function put on ctx."""
        kept = vars(function.ctx) if self.custom(function) else {}
        return [(name, repr(item)) for name, item in kept.items()]

    def value(self, tensor: Any) -> Value:
        """Describe a tensor."""
        return of_array(tensor.data)

    def kept(self, function: Any) -> Value | None:
        """Give the output, which the node keeps if it is small."""
        return None if function.value is None else of_array(function.value)

    def sweep(self, output: Any, ends: Sequence[Any], functions: Sequence[Any], held: Iterable[Any]) -> Sweep:
        """Run `grad` with a hook on each function, which is removed again."""
        firings: list[Firing] = []
        seed = Tensor(np.ones_like(output.data))

        def watch(function: Any) -> Any:
            def hook(grad_inputs: Any, grad_outputs: Any) -> None:
                # The pass brings each product to its operand's shape after the hook.
                pairs = zip(function.edges, grad_inputs, strict=True)
                fitted = [g if g is None or edge is None else _tensor(edge.fit(g.data)) for edge, g in pairs]
                given = returned.get(function.ctx, ()) if self.custom(function) else ()
                firings.append(Firing(function, self._values(fitted), self._values(grad_outputs), given))

            return function.register_hook(hook)

        handles = [watch(function) for function in functions]
        kinds = [function.operation for function in functions if self.custom(function)]
        try:
            with returned_by(kinds) as returned:
                grads = grad(output, ends, seed, retain_graph=True, allow_unused=True)
        except RuntimeError as error:
            raise unusable(error) from None
        finally:
            for handle in handles:
                handle.remove()
        return Sweep(self.value(seed), tuple(firings), self._values(grads))

    def local(self, function: Any) -> Gradients:
        """Call the node's vector-Jacobian product on ones."""
        with no_grad():
            one = np.ones(function.shape) if function.shape else 1.0
            return self._values(map(_tensor, function.vjp(one)))

    def rule(
        self, function: Any, operands: Mapping[int, str], tensors: Mapping[int, Any], known: Iterable[Any]
    ) -> Rule | None:
        """Describe how the engine's own operation computes; a user's Function has no rule."""
        return None if self.custom(function) else rule_of(function, operands)

    def _values(self, tensors: Iterable[Any]) -> Gradients:
        return tuple(None if tensor is None else self.value(tensor) for tensor in tensors)


def _tensor(gradient: Any) -> Any:
    return gradient if gradient is None or isinstance(gradient, Tensor) else Tensor(gradient)


def rule_of(node: Any, operands: Mapping[int, str]) -> Rule | None:
    """Describe how an operation of the engine computes; None for what a page cannot compute.

    `operands` has the ids of the operands that are nodes, by their position. A page computes float64 numbers
    and arrays of at most `ENTRIES` entries. A condition that was computed from a Tensor may change with the
    leaves, and its origin is not on the tape: there is no rule for that.
    """
    shapes = [node.shape, *(edge.shape for edge in node.edges if edge is not None)]
    if not _float64(node) or max(map(math.prod, shapes)) > ENTRIES:
        return None
    found = [operands[at] if at in operands else _constant(node, at) for at in range(len(node.edges))]
    given = [each for each in found if each is not None]
    name, kept = node.operation.__name__, _closure(node.operation.forward)
    if len(given) < len(found):
        return None
    if name in ELEMENTWISE or name == "MatMul":
        return Rule(name.lower(), tuple(given))
    if name == "Where":
        condition = _closure(node.operation.vjps[0])["condition"]
        holds = None if isinstance(condition, Tensor) else np.broadcast_to(condition, node.shape)
        return None if holds is None else Rule("where", tuple(given), _flat(holds))
    moved = _moved(name, kept, node)
    return None if moved is None else Rule(moved[0], tuple(given), _flat(moved[1]))


def _moved(name: str, kept: Mapping[str, Any], node: Any) -> tuple[str, Any] | None:
    """Describe an operation that moves or adds entries: where each entry comes from, or where each goes."""
    if name == "Concatenate":
        edge = next(each for each in node.edges if each is not None)
        first, axis = edge is node.edges[0], kept["axis"]
        size = edge.shape[axis] if first else node.shape[axis] - edge.shape[axis]
        parts = np.split(_numbered(node.shape), [size], axis)
        return "join", np.concatenate([part.reshape(-1) for part in parts])
    shape = node.edges[0].shape
    if name == "Sum":
        kept_axes = np.sum(np.empty(shape), axis=kept["axis"], keepdims=True).shape
        return "scatter", np.broadcast_to(_numbered(kept_axes), shape)
    if name == "Scatter":
        return "scatter", _numbered(kept["shape"])[kept["key"]]
    moves: dict[str, Callable[[Any], Any]] = {
        "Index": lambda x: x[kept["place"]],
        "Transpose": lambda x: np.transpose(x, kept["axes"]),
        "Reshape": lambda x: x,
        "Cast": lambda x: x,
        "BroadcastTo": lambda x: np.broadcast_to(x, kept["shape"]),
    }
    return ("gather", moves[name](_numbered(shape))) if name in moves else None


def _constant(node: Any, at: int) -> Value | None:
    """Find the value of an operand that is no node of the picture; None where that is not known."""
    edge, saved = node.edges[at], node.saved
    if edge is not None and edge.value is not None:  # a leaf that nobody holds any more
        value = edge.value
    elif at < len(saved) and saved[at] is not None:
        value = saved[at]
    else:
        value = _recovered(node, at)
    plain = None if value is None else np.asarray(value)
    if plain is None or plain.dtype.kind not in "fiu" or plain.size > ENTRIES or not np.isfinite(plain).all():
        return None  # a boolean is a condition
    return of_array(plain.astype(float)[()])


def _recovered(node: Any, at: int) -> Any:
    """Compute a constant that was not kept from the other operand and the output."""
    name, out, other = (
        node.operation.__name__,
        node.value,
        node.edges[1 - at] if len(node.edges) == 2 else None,
    )
    if other is None or out is None:
        return None
    if name == "Where":
        return out  # where it was chosen; elsewhere it has no effect
    if name == "Concatenate":
        axis = _closure(node.operation.forward)["axis"]
        size = other.shape[axis]
        return np.split(out, [node.shape[axis] - size if at == 0 else size], axis)[at]
    if other.value is None or name not in ("Add", "Sub"):
        return None
    if name == "Add":
        return np.vectorize(lambda x, y: shortest(y - x, lambda c: x + c == y))(other.value, out)
    if at == 1:
        return np.vectorize(lambda x, y: shortest(x - y, lambda c: x - c == y))(other.value, out)
    return np.vectorize(lambda x, y: shortest(x + y, lambda c: c - x == y))(other.value, out)


def _closure(function: Any) -> dict[str, Any]:
    cells = function.__closure__ if hasattr(function, "__closure__") else None
    return (
        dict(zip(function.__code__.co_freevars, (c.cell_contents for c in cells), strict=True))
        if cells
        else {}
    )


def _float64(node: Any) -> bool:
    return node.like is None or node.like[1] == np.float64


def _numbered(shape: tuple[int, ...]) -> Any:
    return np.arange(math.prod(shape)).reshape(shape)


def _flat(places: Any) -> tuple[int, ...]:
    return tuple(np.asarray(places, int).reshape(-1).tolist())
