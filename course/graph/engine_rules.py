"""How to compute a node of the engine again from other values: its operation and constants, as plain data.

A node keeps what its backward needs, and the engine's operations have the rest in their closures: axes,
shapes, keys. A constant that backward does not need (the 1 in `x + 1`) is recovered from operand and output.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from course.engine import Tensor
from course.graph.model import ENTRIES, Rule, Value, of_array

ELEMENTWISE = {
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Neg",
    "Exp",
    "Log",
    "Sin",
    "Cos",
    "Tanh",
    "Sqrt",
    "Sigmoid",
    "Abs",
}
ELEMENTWISE |= {"Relu", "Power"}
DIGITS = 17  # which write any float64


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


def shortest(x: float, fits: Callable[[float], Any]) -> float:
    """Return the number near x with the fewest digits that fits: the one that was typed, not its rounding."""
    candidates = (float(f"{x:.{digits}g}") for digits in range(1, DIGITS + 1))
    return next((each for each in candidates if fits(each)), x)


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
