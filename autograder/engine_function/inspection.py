"""One call of a student's engine Function from behind: what its node keeps, as plain facts."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from autograder.errors import students_line
from course.engine import Tensor
from course.engine.function import FunctionNode
from course.engine.reverse import propagate

if TYPE_CHECKING:
    from autograder.function.inspection import Inspection

Call = Callable[[], tuple[list[Any], tuple[Tensor, ...]]]  # gives the arguments and the outputs


class Kept(NamedTuple):
    """A Tensor or an array that a node keeps, and where: `ctx.y`, `ctx.saved_tensors[0]`."""

    where: str
    value: Any
    saved: bool


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


def kept_by(node: Any) -> list[Kept]:
    """Return what a node keeps, also inside lists, tuples and dicts."""
    saved = [Kept(f"ctx.saved_tensors[{i}]", t, True) for i, t in enumerate(node.saved_tensors)]
    found = [kept for kept in saved if kept.value is not None]
    for name, value in (vars(node.ctx) if isinstance(node, FunctionNode) else {}).items():
        found.extend(Kept(where, item, False) for where, item in _inside(value, f"ctx.{name}"))
    return found


def _inside(value: Any, where: str, depth: int = 3) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (Tensor, np.ndarray, float)):
        yield where, value
    elif isinstance(value, (list, tuple, dict)) and depth:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _inside(item, f"{where}[{key!r}]", depth - 1)


def _position(value: Any, among: Sequence[Any]) -> int | None:
    """Return which of these Tensors a value is, or whose numbers it shares."""
    for position, other in enumerate(among):
        if not isinstance(other, Tensor):
            continue
        data = value.data if isinstance(value, Tensor) else value
        arrays = isinstance(data, np.ndarray) and isinstance(other.data, np.ndarray)
        if value is other or (arrays and np.may_share_memory(data, other.data)):
            return position
        if isinstance(value, Tensor) and data is other.data:
            return position
    return None


def sort_kept(answer: Inspection, node: Any, given: Sequence[Any], outputs: Sequence[Tensor]) -> None:
    """Say of everything that a node keeps whether it is an input, an output or something else."""
    seen: list[Any] = []
    for item in kept_by(node):
        output, position = _position(item.value, outputs), _position(item.value, given)
        if output is not None:
            position = None
        if item.saved and position is not None:
            answer["saved_inputs"].append(position)
        elif position is not None:
            answer["inputs_on_ctx"].setdefault(item.where, position)
        elif output is not None and not item.saved:
            answer["outputs_on_ctx"].append(item.where)
        data = item.value.data if isinstance(item.value, Tensor) else item.value
        if any(data is other for other in seen):
            continue
        seen.append(data)
        size = int(np.asarray(data).nbytes)
        if position is not None:
            answer["bytes_of_inputs"][str(position)] = size
        elif output is not None:
            answer["bytes_of_outputs"][str(output)] = size
        else:
            answer["other_bytes"] += size
            answer["others"].append(item.where)


def others_kept(call: Call) -> dict[str, np.ndarray]:
    """Return the values that a call keeps and that are neither input nor output."""
    given, outputs = call()
    node = outputs[0].grad_fn
    kept = kept_by(node) if isinstance(node, FunctionNode) else []
    known = [*given, *outputs]
    return {
        item.where: np.array(item.value.data if isinstance(item.value, Tensor) else item.value)
        for item in kept
        if _position(item.value, known) is None
    }


def intermediates(once: Any, again: Any, nearby: Any) -> list[str]:
    """Return the places whose values a tiny step of the inputs changes, and a mere repetition does not."""

    def same(one: np.ndarray, other: np.ndarray | None) -> bool:
        return other is not None and np.array_equal(one, other)

    return [
        where
        for where, value in once.items()
        if same(value, again.get(where)) and not same(value, nearby.get(where))
    ]


def leaks(call: Call) -> bool:
    """Return whether an output outlives its last name, and dies when the cyclic collector runs."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        references = [weakref.ref(output) for output in call()[1]]
        if all(reference() is None for reference in references):
            return False
        gc.collect()
        return any(reference() is None for reference in references)
    finally:
        if collecting:
            gc.enable()


@contextmanager
def watching(lines: list[str]) -> Iterator[None]:
    """Add to `lines` the student's own line of every backward pass that the block starts."""

    def notice(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code is propagate.__code__:
            lines.append(students_line(frame))

    before = sys.getprofile()
    sys.setprofile(notice)
    try:
        yield
    finally:
        sys.setprofile(before)
