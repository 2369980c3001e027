"""Runs a student's walk on graphs of the engine; says what came out by the numbers of the steps."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NotRequired, TypedDict

import numpy as np

from autograder.errors import StudentError, WrongReturn, student_errors
from autograder.graph_walk.graphs import Step, build
from autograder.result import CannotRun
from autograder.time_limit import time_limit
from course.engine import Tensor
from course.engine.reverse import propagate

CONSTANTS = "next_functions has (None, 0) where an operand is a constant."
SECONDS_AT_MOST = 3.0  # some twenty times what the longest chain takes


class Order(TypedDict):
    """For each entry of the list the number of the step whose node it is, or −1.

    `odd` says what the first entry without a number is.
    """

    numbers: np.ndarray
    odd: str
    error: NotRequired[StudentError]


class Gradients(TypedDict):
    """After each call the `.grad` of every leaf: a number, None, or the name of a type that is no Tensor.

    `by_engine` says that the engine's own backward pass was called.
    """

    grads: list[list[float | str | None]]
    by_engine: bool
    error: NotRequired[StudentError]


class WalkProbe:
    """Holds a student's function; raises CannotRun if it cannot be called."""

    def __init__(self, work: Any, name: str) -> None:
        if not callable(work):
            raise CannotRun(f"{name} must be a function, but it is a {type(work).__name__}.")
        self._work = work
        self._name = name

    def order(self, graph: Sequence[Step]) -> Order:
        """Call the function on the last Tensor of a graph and tell the nodes that it returns."""
        answer: Order = {"numbers": np.zeros(0, np.int64), "odd": ""}
        with _as_it_was(), student_errors(answer, self._name):
            tensors = build(graph)
            with time_limit(SECONDS_AT_MOST):
                returned = self._work(tensors[-1])
                entries = list(returned) if _is_listing(returned) else None
            if entries is None:
                kind = "None" if returned is None else f"a {type(returned).__name__}"
                raise WrongReturn(f"{self._name} must return a list of nodes, and returns {kind}.")
            places = {id(tensor.node): number for number, tensor in enumerate(tensors)}
            numbers = np.fromiter((places.get(key, -1) for key in map(id, entries)), np.int64, len(entries))
            answer["numbers"] = numbers
            if (numbers < 0).any():
                answer["odd"] = _kind(entries[int(np.argmax(numbers < 0))])
        return answer

    def accumulate(self, graph: Sequence[Step], seeds: Sequence[float], as_tensors: bool) -> Gradients:
        """Call the function once a seed on the last Tensor of a graph, and tell the leaves' `.grad`."""
        tensors = build(graph)
        leaves = [tensor for tensor in tensors if tensor.is_leaf]
        answer: Gradients = {"grads": [], "by_engine": False}
        for seed in seeds:
            with _as_it_was(), student_errors(answer, self._name), time_limit(SECONDS_AT_MOST):
                self._work(tensors[-1], Tensor(seed) if as_tensors else seed)
            if "error" in answer:
                break
            answer["grads"].append([_value(leaf.grad) for leaf in leaves])
        return answer

    def calls_engine(self, graph: Sequence[Step], seed: float, as_tensors: bool) -> bool:
        """Return whether the function calls the engine's own backward pass."""
        tensors = build(graph)  # all of them held, as a node does not hold its leaf
        called = False

        def notice(frame: FrameType, event: str, _: Any) -> None:
            nonlocal called
            called = called or (event == "call" and frame.f_code is propagate.__code__)

        before = sys.getprofile()
        ignored: dict[str, Any] = {}
        with _as_it_was(), student_errors(ignored, self._name), time_limit(SECONDS_AT_MOST):
            sys.setprofile(notice)
            try:
                self._work(tensors[-1], Tensor(seed) if as_tensors else seed)
            finally:
                sys.setprofile(before)
        return called


def hint_for(error: StudentError, hints: Mapping[str, str]) -> str:
    """Return the hint for an exception in a walk: by its type, or that a node may be None."""
    return CONSTANTS if "NoneType" in error["message"] else hints.get(error["type"], "")


@contextmanager
def _as_it_was() -> Iterator[None]:
    """Put back the recursion limit, which a walk of any depth may have raised; let the collector wait.

    It would look at each of 100,000 nodes several times, and take longer than the walk.
    """
    limit, collecting = sys.getrecursionlimit(), gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()


def _is_listing(returned: Any) -> bool:
    return isinstance(returned, Iterable) and not isinstance(returned, (str, bytes, Tensor))


def _kind(entry: Any) -> str:
    return "None" if entry is None else f"a {type(entry).__name__}"


def _value(gradient: Any) -> float | str | None:
    if gradient is None:
        return None
    if not isinstance(gradient, Tensor):
        return type(gradient).__name__
    return float(gradient.item()) if gradient.size == 1 else f"Tensor of shape {gradient.shape}"
