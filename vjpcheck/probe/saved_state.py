"""Lists what a node of the graph keeps for backward: saved tensors, and the attributes of ctx."""

from __future__ import annotations

import functools
import gc
import sys
import types
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vjpcheck.probe.backend import Backend, Memory
from vjpcheck.probe.conversion import dtype_name

_DEPTH = 4
_ITEMS = 200
_CONSTANTS, _FLOATS, _CHARACTERS = 64, 8, 200  # limits for the constants on ctx; characters of one text
_CONSTANT_TYPES = (type(None), bool, float, complex, type(Ellipsis), range)
_REACHED_AT_MOST = 100_000  # objects outside ctx
_CONSTANTS_OF: dict[type, int] = {  # bytes of a constant; those of 0 have a size of their own
    type(None): 1, bool: 1, float: 8, complex: 16, int: 0, str: 0, bytes: 0, bytearray: 0,
}  # fmt: skip
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class written in Python, not one of the interpreter's
_TORCH_TYPES = {"dtype", "device", "Size", "memory_format", "layout"}


@dataclass(frozen=True)
class KeptValue:
    """A tensor, an array or a number that a node keeps, and its place: `ctx.y`, `ctx.saved_tensors[0]`."""

    where: str
    value: Any
    saved: bool


def node_of(backend: Backend, outputs: Sequence[Any], work: type[Any]) -> Any:
    """Return the node of a call of `work` in the graph behind its outputs; None if there is none."""
    waiting, visited = [output.grad_fn for output in outputs], set()
    while waiting:
        node = waiting.pop(0)
        if node is None or node in visited:
            continue
        made_by = backend.function_of(node)
        if isinstance(made_by, type) and issubclass(made_by, work):
            return node
        visited.add(node)
        waiting.extend(parent for parent, _ in node.next_functions)
    return None


def foreign_nodes(
    backend: Backend, outputs: Sequence[Any], work: type[Any], below: Sequence[Any]
) -> list[str]:
    """Return the names of foreign nodes directly behind the outputs, or directly below the nodes of `work`.

    Directly behind each output should be the node of a call of `work`, and directly below it the leaves and
    nodes of the arguments, `below`.
    """
    nodes = [output.grad_fn for output in outputs if output.grad_fn is not None]
    makers = [backend.function_of(node) for node in nodes]
    own = [isinstance(maker, type) and issubclass(maker, work) for maker in makers]
    names = [str(node.name()) for node, ours in zip(nodes, own, strict=True) if not ours]
    for node in (node for node, ours in zip(nodes, own, strict=True) if ours):
        for parent, _ in node.next_functions:
            leaf = getattr(parent, "variable", None)
            if parent is not None and not any(leaf is known or parent is known for known in below):
                names.append(str(parent.name()))
    return names


def objects_on_ctx(backend: Backend, node: Any, arguments: Sequence[Any]) -> dict[str, str]:
    """Return the places and types of objects on ctx other than tensors, arrays, arguments and constants."""
    left = {int: _CONSTANTS, float: _FLOATS}
    objects = {
        f"ctx.{name}": type(value).__name__
        for name, value in backend.attributes(node).items()
        if not any(value is argument for argument in arguments)
        and not _is_plain(backend, value, left, _DEPTH)
    }
    for place, tensor in enumerate(node.saved_tensors):
        if tensor is not None and _has_more(backend, tensor):
            objects[f"ctx.saved_tensors[{place}]"] = f"{type(tensor).__name__} with attributes of its own"
    return objects


def _is_plain(backend: Backend, value: Any, left: dict[type, int], depth: int) -> bool:
    """Return whether a value is a tensor, an array or a constant, or plain containers with a few of them.

    `left` has the number of values, and of floats among them, that may still follow; `depth` is the number of
    levels of containers that may follow.
    """
    left[int] -= 1
    is_wide = type(value) is int and value.bit_length() > 32  # as many bits as a float
    left[float] -= is_wide or isinstance(value, (float, complex, np.generic))
    if min(left.values()) < 0 or depth < 0:
        return False
    kind = type(value)
    if isinstance(value, backend.tensor_class):
        return not _has_more(backend, value)
    if isinstance(value, (np.ndarray, np.generic)):
        return _is_of_numbers(value.dtype) and not _attributes(value)
    if isinstance(value, np.dtype):
        return _is_of_numbers(value)
    if kind is int:
        return bool(-(1 << 64) < value < 1 << 64)
    if kind is str:
        return len(value) <= _CHARACTERS
    if kind in _CONSTANT_TYPES or (kind.__module__ == "torch" and kind.__name__ in _TORCH_TYPES):
        return True
    # a class or a function that is defined once keeps nothing of a call
    if isinstance(value, type):
        return _is_plain_class(value)
    if isinstance(value, types.BuiltinFunctionType):
        owner = value.__self__  # the object of a method, or the module of a function
        return owner is None or isinstance(owner, types.ModuleType) or _is_plain_class(owner)
    inner = _items(value)
    if inner is not None:
        return all(_is_plain(backend, item, left, depth - 1) for item in inner)
    if not isinstance(value, types.FunctionType) or value.__dict__:
        return False
    return all(_is_plain(backend, item, left, depth - 1) for _, item in _parts(value))


def _has_more(backend: Backend, tensor: Any) -> bool:
    """Return whether attributes were added to a tensor."""
    plain = type(tensor) is backend.tensor_class  # its own slots are not additions
    return bool(getattr(tensor, "__dict__", None) if plain else _attributes(tensor))


def _is_of_numbers(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "biufc" and dtype.metadata is None


def _is_plain_class(kind: Any) -> bool:
    """Return whether a class is an attribute of its module, unlike a class that a call makes."""
    if not isinstance(kind, type):
        return False
    owner: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        owner = getattr(owner, name, None)
    return owner is kind


def _items(value: Any) -> Iterable[Any] | None:
    """Return the items of a container, or the attributes of an object of a Python class; else None."""
    kind = type(value)
    if isinstance(value, tuple):
        return [*tuple.__iter__(value), *(attribute for _, attribute in _attributes(value))]
    if kind is slice:
        return (value.start, value.stop, value.step)
    if kind in (list, set, frozenset):
        return list(value)
    if kind is dict:
        return [part for pair in value.items() for part in pair]
    if all(owner is object or owner.__flags__ & _HEAP_TYPE for owner in kind.__mro__):
        return [attribute for _, attribute in _attributes(value)]
    return None


def kept_by(backend: Backend, node: Any) -> list[KeptValue]:
    """Return the values that a node keeps, also inside containers, closures and objects."""
    items = [KeptValue(f"ctx.saved_tensors[{i}]", t, True) for i, t in enumerate(node.saved_tensors)]
    items = [kept for kept in items if kept.value is not None]
    for name, value in backend.attributes(node).items():
        items.extend(KeptValue(where, item, False) for where, item in inside(backend, value, f"ctx.{name}"))
    return items


def inside(backend: Backend, value: Any, where: str, depth: int = _DEPTH) -> Iterator[tuple[str, Any]]:
    """Yield the tensors, arrays and floats inside an object, itself included, each with its place."""
    if isinstance(value, (backend.tensor_class, np.ndarray, float)):
        yield where, value
    elif depth:
        for name, item in _parts(value):
            yield from inside(backend, item, where + name, depth - 1)


def _parts(value: Any, at_most: int | None = _ITEMS) -> list[tuple[str, Any]]:
    if isinstance(value, (str, bytes, int, type, types.ModuleType)):
        return []
    if isinstance(value, dict):
        parts = [(f"[{key!r}]", item) for key, item in list(value.items())[:at_most]]
    elif isinstance(value, (list, tuple, set, frozenset)):
        parts = [(f"[{index}]", item) for index, item in enumerate(list(value)[:at_most])]
    elif isinstance(value, slice):
        parts = [(f".{name}", getattr(value, name)) for name in ("start", "stop", "step")]
    elif isinstance(value, functools.partial):
        parts = [("(…)", item) for item in (*value.args, *value.keywords.values(), value.func)]
    elif isinstance(value, types.MethodType):
        parts = [("(…)", value.__self__), ("(…)", value.__func__)]
    elif isinstance(value, types.BuiltinFunctionType):
        parts = [("(…)", value.__self__)]  # for a method of a tensor, the tensor
    elif isinstance(value, types.FunctionType):
        names = value.__code__.co_freevars
        cells = [c.cell_contents for c in value.__closure__ or () if _filled(c)]
        parts = [(f"'s {name}", item) for name, item in zip(names, cells, strict=False)]
        held = (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
        parts += [("(…)", item) for item in held]
    else:
        parts = []
    if type(value) not in (dict, list, tuple, set, frozenset, types.FunctionType):
        parts += [(f".{name}", item) for name, item in _attributes(value)]
    return parts


def reached(places: Mapping[str, Any], module: str) -> Iterator[tuple[str, Any]]:
    """Yield what can be reached from these places: tensors, arrays and constants, each with its place.

    Classes and functions count as far as they belong to a module, that of the work.
    """
    waiting, seen = deque(places.items()), dict[int, Any]()
    while waiting and len(seen) < _REACHED_AT_MOST:
        where, value = waiting.popleft()
        yield where, value
        if type(value) in _CONSTANTS_OF or id(value) in seen:
            continue
        seen[id(value)] = value  # alive, so that no other object gets its id
        waiting.extend((where + name, part) for name, part in _all_parts(value, module))


def weight(value: Any) -> int:
    """Return how many bytes a constant stands for; 0 for other objects."""
    kind = type(value)
    if kind is int:
        return 1 + int(value.bit_length()) // 8
    if kind in (str, bytes, bytearray):
        return len(value)
    return _CONSTANTS_OF.get(kind, 0)


def _all_parts(value: Any, module: str) -> Iterator[tuple[str, Any]]:
    kind = type(value)
    if isinstance(value, type):
        if value.__module__ == module:
            yield from ((f".{name}", part) for name, part in list(vars(value).items()))
        return
    if isinstance(value, (types.ModuleType, types.CodeType, types.FrameType)):
        return
    if kind is types.FunctionType:
        if value.__globals__.get("__name__") == module:
            yield from (
                ("(…)", part) for part in (value.__closure__, value.__defaults__, value.__kwdefaults__)
            )
            yield from ((f".{name}", part) for name, part in list(vars(value).items()))
        return
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        yield from (("[…]", part) for part in value.ravel().tolist())
    if isinstance(value, dict):
        yield from (("[…]", key) for key in [*value])
    named = [] if kind in (types.CellType, types.MethodType) else _parts(value, None)
    yield from named
    known = {id(part) for _, part in named}
    yield from (("(…)", part) for part in gc.get_referents(value) if id(part) not in known)


def _attributes(value: Any) -> list[tuple[str, Any]]:
    try:
        attributes = dict(object.__getattribute__(value, "__dict__"))
    except AttributeError:
        attributes = {}
    for owner in type(value).__mro__:
        slots = vars(owner).get("__slots__", ())
        for name in [slots] if isinstance(slots, str) else slots:
            if name.startswith("__") and not name.endswith("__"):  # the compiler's name of a private slot
                name = f"_{owner.__name__.lstrip('_')}{name}"
            try:
                attributes[name] = object.__getattribute__(value, name)
            except AttributeError:
                continue
    return list(attributes.items())[:_ITEMS]


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def array_memory(array: np.ndarray) -> Memory | None:
    """Return the memory of the array that owns an array's data; None if the array is empty."""
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
    """Return a copy of a value that could be differentiable, a float or an array of floats; else None."""
    if isinstance(value, backend.tensor_class):
        return backend.array(value) if dtype_name(value).startswith(("float", "bfloat")) else None
    if isinstance(value, np.ndarray):
        return value.copy() if value.dtype.kind == "f" else None
    return np.array(value)
