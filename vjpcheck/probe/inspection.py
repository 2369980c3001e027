"""Inspects one call of a student's Function: the values that it keeps and captures, as plain facts."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from vjpcheck.ask.answers import Inspection
from vjpcheck.probe.backend import Backend, Memory
from vjpcheck.probe.calls import Call
from vjpcheck.probe.conversion import bits_of, dtype_name
from vjpcheck.probe.saved_state import KeptValue, continuous, kept_by, node_of, reached, shared, weight

_HASHED_AT_MOST = 1 << 20  # bytes of one tensor
_CONSTANTS = 128  # bytes of numbers and texts that a call may leave outside ctx: a count, a line of a log


def sort_kept(backend: Backend, answer: Inspection, kept: Sequence[KeptValue], call: Call) -> None:
    """Classify each value that a node keeps as an input, an output or another value."""
    inputs, outputs = call.inputs, call.outputs
    counted: list[Memory] = []
    fewest = min((bits_of(tensor) for tensor in inputs if bits_of(tensor)), default=0)
    for item in kept:
        if 0 < bits_of(item.value) < fewest:
            answer["narrow"][item.where] = dtype_name(item.value)
        where = backend.memory(item.value)
        output = _position(backend, item.value, where, outputs)
        position = _position(backend, item.value, where, inputs)
        if position is not None and output is not None:
            # an input changed in place, or a view of it, counts as the output, unless it is the input itself
            if item.value is inputs[position] and inputs[position] is not outputs[output]:
                output = None
            else:
                position = None
        if item.saved and position is not None:
            answer["saved_inputs"].append(position)
        elif position is not None:
            answer["inputs_on_ctx"].setdefault(item.where, position)
        elif output is not None and not item.saved:
            answer["outputs_on_ctx"].append(item.where)
        if where is None or any(shared(where, other) for other in counted):
            continue
        counted.append(where)
        if position is not None:
            answer["bytes_of_inputs"][str(position)] = where[1]
        elif output is not None:
            answer["bytes_of_outputs"][str(output)] = where[1]
        else:
            answer["other_bytes"] += where[1]
            answer["others"].append(item.where)


def _position(backend: Backend, value: Any, where: Memory | None, among: Sequence[Any]) -> int | None:
    for position, other in enumerate(among):
        if not isinstance(other, backend.tensor_class):
            continue
        if value is other or shared(where, backend.memory(other)):
            return position
    return None


def others_kept(backend: Backend, call: Call, work: type[Any]) -> dict[str, np.ndarray]:
    """Return the floats that a call keeps and that are neither inputs nor outputs, by place."""
    node = node_of(backend, call.outputs, work)
    others = {}
    for item in kept_by(backend, node) if node is not None else []:
        where = backend.memory(item.value)
        if _position(backend, item.value, where, [*call.inputs, *call.outputs]) is None:
            value = continuous(backend, item.value)
            if value is not None:
                others[item.where] = value
    return others


def intermediates(
    once: dict[str, np.ndarray], again: dict[str, np.ndarray], nearby: dict[str, np.ndarray]
) -> list[str]:
    """Return the places whose values change after a small step of the inputs, but not in a repeated call.

    Masks, signs, indices, drawn noise and constants do not change after a small step.
    """
    return [
        where
        for where, value in once.items()
        if _same(value, again.get(where)) and not _same(value, nearby.get(where))
    ]


def _same(one: np.ndarray, other: np.ndarray | None) -> bool:
    return other is not None and one.shape == other.shape and one.tobytes() == other.tobytes()


def leaks(backend: Backend, run: Callable[[], Call], work: type[Any]) -> bool:
    """Return whether ctx and an output form a reference cycle, which only the cyclic collector frees."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        call = run()
        node = node_of(backend, call.outputs, work)
        # an output without a gradient, such as an index, does not refer to the node
        references = [weakref.ref(output) for output in call.outputs if output.grad_fn is not None]
        del call
        alive = [reference for reference in references if reference() is not None]
        if not alive or node is None:
            return False
        backend.attributes(node).clear()  # an output that stays alive has another owner: a global list, say
        return any(reference() is None for reference in alive)
    finally:
        if collecting:
            gc.enable()


class Kept(NamedTuple):
    """A tensor or an array, its place, and what stands for its content."""

    where: str
    item: Any
    content: int


class Outside(NamedTuple):
    """What the surroundings of a Function hold: tensors and arrays, and the bytes of all constants."""

    objects: list[Kept]
    constants: int


def held_outside(backend: Backend, work: type[Any], named: Collection[str]) -> Outside:
    """Return what the class, closures and globals of a Function hold; of the globals, those it names."""
    places: dict[str, Any] = {
        f"{work.__name__}.{name}": value
        for owner in reversed(work.__mro__)
        if owner not in backend.function_class.__mro__
        for name, value in vars(owner).items()
    }
    for method in (work.forward, work.setup_context, getattr(work, backend.backward_name(work))):
        function: Any = getattr(method, "__func__", method)
        cells = getattr(function, "__closure__", None) or ()
        names = getattr(getattr(function, "__code__", None), "co_freevars", ())
        places |= dict(zip(names, cells, strict=False))
        around = getattr(function, "__globals__", {})
        places |= {name: around[name] for name in named if name in around}
    objects: list[Kept] = []
    constants = 0
    for where, item in reached({n: v for n, v in places.items() if not n.startswith("__")}, work.__module__):
        if isinstance(item, (backend.tensor_class, np.ndarray)):
            objects.append(Kept(where, item, hash(_bytes(backend, item))))
        else:
            constants += weight(item)
    return Outside(objects, constants)


def _bytes(backend: Backend, value: Any) -> bytes:
    try:
        array = backend.array(value) if isinstance(value, backend.tensor_class) else value
        return array.tobytes() if array.nbytes <= _HASHED_AT_MOST else b""
    except Exception:  # such as a tensor of a dtype that NumPy lacks
        return b""


def count_outside(backend: Backend, answer: Inspection, before: Outside, after: Outside, call: Call) -> None:
    """Add the bytes that a call has left outside ctx, around the Function, to the answer.

    What it has written into memory that was there before counts, too.
    """
    unchanged = {(id(item), content) for _, item, content in before.objects}
    known = [item for _, item, content in after.objects if (id(item), content) in unchanged]
    counted = [
        backend.memory(item)
        for item in (*call.inputs, *call.outputs, *known)
        if isinstance(item, (backend.tensor_class, np.ndarray))
    ]
    for where, item, _ in after.objects:
        memory = backend.memory(item)
        if memory is not None and not any(shared(memory, other) for other in counted):
            counted.append(memory)
            answer["other_bytes"] += memory[1]
            answer["others"].append(where)
    if (grown := after.constants - before.constants) > _CONSTANTS:
        answer["other_bytes"] += grown
        answer["others"].append("numbers and texts outside ctx")
