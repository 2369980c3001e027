"""What a node of the graph keeps for backward: saved tensors, and whatever hangs on ctx."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.function.backend import Backend, Memory
from autograder.function.conversion import dtype_name

_DEPTH = 4
_ITEMS = 200


@dataclass(frozen=True)
class Kept:
    """A tensor, an array or a number that a node keeps, and where: `ctx.y`, `ctx.saved_tensors[0]`."""

    where: str
    value: Any
    saved: bool


def node_of(backend: Backend, outputs: Sequence[Any], work: type[Any]) -> Any:
    """Return the node that a call of `work` put into the graph behind its outputs; None if there is none."""
    waiting, seen = [output.grad_fn for output in outputs], set()
    while waiting:
        node = waiting.pop(0)
        if node is None or node in seen:
            continue
        made_by = backend.function_of(node)
        if isinstance(made_by, type) and issubclass(made_by, work):
            return node
        seen.add(node)
        waiting.extend(parent for parent, _ in node.next_functions)
    return None


def kept_by(backend: Backend, node: Any) -> list[Kept]:
    """Return what a node keeps, also inside containers, closures and objects."""
    found = [Kept(f"ctx.saved_tensors[{i}]", t, True) for i, t in enumerate(node.saved_tensors)]
    found = [kept for kept in found if kept.value is not None]
    for name, value in backend.attributes(node).items():
        found.extend(Kept(where, item, False) for where, item in inside(backend, value, f"ctx.{name}"))
    return found


def inside(backend: Backend, value: Any, where: str, depth: int = _DEPTH) -> Iterator[tuple[str, Any]]:
    """Yield the tensors, arrays and floats that an object holds, itself included, each with its place."""
    if isinstance(value, (backend.tensor_class, np.ndarray, float)):
        yield where, value
    elif depth:
        for name, item in _parts(value):
            yield from inside(backend, item, where + name, depth - 1)


def _parts(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, (str, bytes, int, type, types.ModuleType)):
        return []
    if isinstance(value, dict):
        parts = [(f"[{key!r}]", item) for key, item in list(value.items())[:_ITEMS]]
    elif isinstance(value, (list, tuple, set, frozenset)):
        parts = [(f"[{index}]", item) for index, item in enumerate(list(value)[:_ITEMS])]
    elif isinstance(value, functools.partial):
        parts = [("(…)", item) for item in (*value.args, *value.keywords.values(), value.func)]
    elif isinstance(value, types.MethodType):
        parts = [("(…)", value.__self__), ("(…)", value.__func__)]
    elif isinstance(value, types.FunctionType):
        names = value.__code__.co_freevars
        cells = [c.cell_contents for c in value.__closure__ or () if _filled(c)]
        parts = [(f"'s {name}", item) for name, item in zip(names, cells, strict=False)]
        parts += [("(…)", item) for item in (value.__defaults__ or ())]
    else:
        parts = [(f".{name}", item) for name, item in _attributes(value)]
    return parts


def _attributes(value: Any) -> list[tuple[str, Any]]:
    try:
        found = dict(object.__getattribute__(value, "__dict__"))
    except AttributeError:
        found = {}
    for owner in type(value).__mro__:
        slots = vars(owner).get("__slots__", ())
        for name in [slots] if isinstance(slots, str) else slots:
            try:
                found[name] = object.__getattribute__(value, name)
            except AttributeError:
                continue
    return list(found.items())[:_ITEMS]


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def array_memory(array: np.ndarray) -> Memory | None:
    """Return the memory of the array that owns an array's data; None if there is nothing in it."""
    if not array.nbytes:
        return None
    while isinstance(array.base, np.ndarray):
        array = array.base
    return int(array.__array_interface__["data"][0]), int(array.nbytes)


def shared(one: Memory | None, other: Memory | None) -> bool:
    """Return whether two pieces of memory overlap."""
    if one is None or other is None:
        return False
    return one[0] < other[0] + other[1] and other[0] < one[0] + one[1]


def continuous(backend: Backend, value: Any) -> np.ndarray | None:
    """Return a copy of what could be differentiable, floats and arrays of them; None for anything else."""
    if isinstance(value, backend.tensor_class):
        return backend.array(value) if dtype_name(value).startswith(("float", "bfloat")) else None
    if isinstance(value, np.ndarray):
        return value.copy() if value.dtype.kind == "f" else None
    return np.array(value)
