"""Inspects one call of a student's Function: the values that it keeps and captures, as plain facts."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from vjpcheck.ask.answers import Inspection
from vjpcheck.probe.backend import Backend, Memory
from vjpcheck.probe.calls import Call
from vjpcheck.probe.conversion import bits_of, dtype_name
from vjpcheck.probe.saved_state import KeptValue, continuous, inside, kept_by, node_of, shared


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


def held_outside(backend: Backend, work: type[Any], named: Collection[str]) -> list[tuple[str, Any]]:
    """Return the tensors and arrays that the class, closures and globals of a Function hold, with places.

    Only globals that its code names are included.
    """
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
    objects = []
    for name, value in places.items():
        if not name.startswith("__"):
            value = getattr(value, "cell_contents", None) if type(value).__name__ == "cell" else value
            objects += [
                (where, item) for where, item in inside(backend, value, name) if type(item) is not float
            ]
    return objects


def count_outside(
    backend: Backend,
    answer: Inspection,
    before: Sequence[tuple[str, Any]],
    after: Sequence[tuple[str, Any]],
    call: Call,
) -> None:
    """Add the new bytes that a call has left outside ctx, around the Function, to the answer."""
    known = [*call.inputs, *call.outputs, *(item for _, item in before)]
    counted = [backend.memory(item) for item in known if isinstance(item, (backend.tensor_class, np.ndarray))]
    for where, item in after:
        memory = backend.memory(item)
        if memory is not None and not any(shared(memory, other) for other in counted):
            counted.append(memory)
            answer["other_bytes"] += memory[1]
            answer["others"].append(where)
