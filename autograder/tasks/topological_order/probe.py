"""Runs a student's topological_order on graphs of the engine."""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import Any, NotRequired, TypedDict

import numpy as np

from autograder.tasks.calls import FunctionProbe
from autograder.tasks.engine_graphs import Step, build, by_name
from autograder.tasks.engine_walks import walk
from autograder.tasks.watch import counting_depth
from course.engine import Tensor
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import Array, Request, schema_of
from vjpcheck.errors import StudentError, WrongReturn, kind
from vjpcheck.probe.callers_world import Changes


class Order(TypedDict):
    """The number of the step for the node in each entry of the list.

    `odd` describes the first entry that is no such node; then there are no numbers. `depth`, if requested, is
    the largest number of frames that one function of the work had at once.
    """

    numbers: np.ndarray
    odd: str
    depth: int
    changes: Changes
    error: NotRequired[StudentError]


class Probe(FunctionProbe):
    """Calls a student's function on graphs."""

    def order(self, graph: Sequence[Step], calls: int = 1, depth: bool = False) -> Order:
        """Call the function on the last Tensor of a graph, and return the nodes of the last call."""
        answer, tensors = blank(Order), build(graph)
        entries: list[Any] = []
        deepest = [0]
        counting = counting_depth(deepest) if depth else nullcontext()
        with walk(answer, self._name, **by_name(tensors)), counting:
            for _ in range(calls):
                entries = self._entries(tensors[-1])
        answer["depth"] = deepest[-1]
        places = {id(tensor.node): number for number, tensor in enumerate(tensors)}
        numbers = np.fromiter((places.get(key, -1) for key in map(id, entries)), np.int64, len(entries))
        odd = numbers < 0
        answer["odd"] = kind(entries[int(np.argmax(odd))]) if odd.any() else ""
        answer["numbers"] = numbers[: 0 if odd.any() else None]
        return answer

    def _entries(self, tensor: Tensor) -> list[Any]:
        returned = self._work(tensor)
        if not isinstance(returned, Iterable) or isinstance(returned, (str, bytes, Tensor)):
            raise WrongReturn(f"{self._name} must return a list of nodes, but returns {kind(returned)}.")
        return list(returned)


def order(graph: Sequence[Step], calls: int = 1, depth: bool = False) -> Request[Order]:
    """Return the request for the nodes of a graph, in the order of the last of `calls` calls."""
    return Request(
        "order", (graph, calls, depth), schema_of(Order, numbers=Array(dtype="int64", below=len(graph)))
    )
