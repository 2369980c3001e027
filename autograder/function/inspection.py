"""One call of a student's Function from behind: what it keeps, captures and calls, as plain facts."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypedDict

import numpy as np
import torch
from torch.autograd import Function
from torch.overrides import TorchFunctionMode

from autograder.function.kept import Kept, Memory, continuous, inside, kept_by, memory, node_of, shared


class Inspection(TypedDict):
    """What stands behind one call; empty wherever the Function raises, which other answers tell.

    `inputs_on_ctx` has a place on ctx for a position of the arguments; `outputs_on_ctx` are places, and
    `leaks` says that ctx and an output hold each other until the cyclic collector runs. `saved_inputs` are
    positions given to save_for_backward. `bytes_of_inputs` and `bytes_of_outputs` give the memory that the
    node holds of each, by position, `other_bytes` that of everything else, each piece of memory counted once,
    and `others` where that is. `inputs_returned` are positions returned as they are, `same_objects` those of
    all arguments that are outputs too, marked as dirty or not. `captured` names tensors that require grad and
    are no arguments, `listed` says that forward got tensors inside a list, `listed_in_backward` is where
    backward calls apply of another Function that way, `autograd` is where native autograd was called, and
    `evasions` is what hid calls of it; `requires_grad` tells it of each output, and `draws` says that forward
    moved the state of a generator that it was given.
    """

    inputs_on_ctx: dict[str, int]
    outputs_on_ctx: list[str]
    leaks: bool
    saved_inputs: list[int]
    bytes_of_inputs: dict[str, int]
    bytes_of_outputs: dict[str, int]
    other_bytes: int
    others: list[str]
    inputs_returned: list[int]
    same_objects: list[int]
    captured: list[str]
    listed: bool
    listed_in_backward: str
    autograd: list[str]
    evasions: list[str]
    requires_grad: list[bool]
    draws: bool


def nothing() -> Inspection:
    """Return an inspection that saw nothing."""
    return {
        "inputs_on_ctx": {},
        "outputs_on_ctx": [],
        "leaks": False,
        "saved_inputs": [],
        "bytes_of_inputs": {},
        "bytes_of_outputs": {},
        "other_bytes": 0,
        "others": [],
        "inputs_returned": [],
        "same_objects": [],
        "captured": [],
        "listed": False,
        "listed_in_backward": "",
        "autograd": [],
        "evasions": [],
        "requires_grad": [],
        "draws": False,
    }


Call = Callable[[], tuple[list[Any], tuple[torch.Tensor, ...]]]  # gives the arguments and the outputs


def sort_kept(answer: Inspection, kept: Sequence[Kept], given: Sequence[Any], outputs: Sequence[Any]) -> None:
    """Say of everything that a node keeps whether it is an input, an output or something else."""
    counted: list[Memory] = []
    for item in kept:
        where = memory(item.value)
        output = _position(item.value, where, outputs)
        position = _position(item.value, where, given)
        if position is not None and output is not None:
            # changed in place, or a view of the input: that output it is, unless it is the input itself
            if item.value is given[position] and given[position] is not outputs[output]:
                output = None
            else:
                position = None
        if item.saved and position is not None:
            answer["saved_inputs"].append(position)
        elif position is not None and _is_float(given[position]):
            answer["inputs_on_ctx"].setdefault(item.where, position)
        elif output is not None and not item.saved and _is_float(outputs[output]):
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


def _position(value: Any, where: Memory | None, among: Sequence[Any]) -> int | None:
    for position, other in enumerate(among):
        if isinstance(other, torch.Tensor) and (value is other or shared(where, memory(other))):
            return position
    return None


def _is_float(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex())


def others_kept(call: Call, work: type[Function]) -> dict[str, np.ndarray]:
    """Return what may be differentiable of all that a call keeps and that is neither input nor output."""
    given, outputs = call()
    node = node_of(outputs, work)
    found = {}
    for item in kept_by(node) if node is not None else []:
        where = memory(item.value)
        if _position(item.value, where, [*given, *outputs]) is None:
            value = continuous(item.value)
            if value is not None:
                found[item.where] = value
    return found


def intermediates(
    once: dict[str, np.ndarray], again: dict[str, np.ndarray], nearby: dict[str, np.ndarray]
) -> list[str]:
    """Return the places whose values a tiny step of the inputs changes, and a mere repetition does not.

    Masks, signs, indices and drawn noise stay what they are under a tiny step; so do numbers given.
    """
    return [
        where
        for where, value in once.items()
        if _same(value, again.get(where)) and not _same(value, nearby.get(where))
    ]


def _same(one: np.ndarray, other: np.ndarray | None) -> bool:
    return other is not None and one.shape == other.shape and one.tobytes() == other.tobytes()


def leaks(call: Call, work: type[Function]) -> bool:
    """Return whether ctx holds an output, which holds ctx: a cycle that only the collector frees."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        _, outputs = call()
        node = node_of(outputs, work)
        # what has no gradient does not lead back to the node: an index may sit on ctx
        references = [weakref.ref(output) for output in outputs if output.grad_fn is not None]
        del _, outputs
        alive = [reference for reference in references if reference() is not None]
        if not alive or node is None:
            return False
        vars(node).clear()  # what lives on has another owner: a list of the work's own, say
        return any(reference() is None for reference in alive)
    finally:
        if collecting:
            gc.enable()


class Listening(TorchFunctionMode):
    """Notes tensors that require grad and were there before: no arguments, and made by no operation here."""

    def __init__(self, arguments: Sequence[Any]) -> None:
        super().__init__()
        self._known = [a for a in arguments if isinstance(a, torch.Tensor)]
        self.strangers: list[torch.Tensor] = []

    def __torch_function__(
        self, function: Any, types: Any, arguments: tuple[Any, ...] = (), keywords: Any = None
    ) -> Any:
        """Call the function, looking at what goes in and what comes out."""
        for tensor in _tensors([*arguments, *(keywords or {}).values()]):
            if tensor.requires_grad and not any(tensor is known for known in self._known):
                self.strangers.append(tensor)
        returned = function(*arguments, **(keywords or {}))
        self._known.extend(_tensors([returned]))
        return returned


def _tensors(values: Sequence[Any]) -> Iterator[torch.Tensor]:
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)


def names_outside(work: type[Function], strangers: Sequence[torch.Tensor]) -> list[str]:
    """Return the names under which tensors are found around the Function: globals, closures, the class."""
    if not strangers:
        return []
    places: dict[str, Any] = {f"{work.__name__}.{name}": value for name, value in _of_class(work).items()}
    for method in (work.forward, work.setup_context):
        function: Any = getattr(method, "__func__", method)
        cells = getattr(function, "__closure__", None) or ()
        names = getattr(getattr(function, "__code__", None), "co_freevars", ())
        places |= dict(zip(names, cells, strict=False))
        places |= getattr(function, "__globals__", {})
    found = []
    for name, value in list(places.items()):
        if name.startswith("__"):
            continue
        value = getattr(value, "cell_contents", None) if type(value).__name__ == "cell" else value
        found += [w for w, item in inside(value, name) if any(item is stranger for stranger in strangers)]
    return found


def _of_class(work: type[Function]) -> dict[str, Any]:
    return {name: value for owner in work.__mro__[:-3] for name, value in vars(owner).items()}
