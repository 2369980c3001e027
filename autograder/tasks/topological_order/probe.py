"""Runs a student's topological_order on graphs of the engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NotRequired, TypedDict

import numpy as np

from autograder.errors import StudentError, WrongReturn
from autograder.protocol import Array, Request, schema_of
from autograder.tasks.calling import kind, require_callable
from autograder.tasks.engine_graphs import Step, build
from autograder.tasks.engine_walks import walk
from course.engine import Tensor


class Order(TypedDict):
    """For each entry of the list the number of the step whose node it is.

    `odd` says what the first entry is that is no such node; then there are no numbers.
    """

    numbers: np.ndarray
    odd: str
    error: NotRequired[StudentError]


class Probe:
    """Holds a student's function; raises CannotRun if it cannot be called."""

    def __init__(self, work: Any, name: str) -> None:
        self._work = require_callable(work, name)
        self._name = name

    def order(self, graph: Sequence[Step]) -> Order:
        """Call the function on the last Tensor of a graph and tell the nodes that it returns."""
        answer: Order = {"numbers": np.zeros(0, np.int64), "odd": ""}
        tensors = build(graph)
        entries: list[Any] = []
        with walk(answer, self._name):
            returned = self._work(tensors[-1])
            if not isinstance(returned, Iterable) or isinstance(returned, (str, bytes, Tensor)):
                raise WrongReturn(f"{self._name} must return a list of nodes, and returns {kind(returned)}.")
            entries = list(returned)
        places = {id(tensor.node): number for number, tensor in enumerate(tensors)}
        numbers = np.fromiter((places.get(key, -1) for key in map(id, entries)), np.int64, len(entries))
        if (numbers < 0).any():
            answer["odd"] = kind(entries[int(np.argmax(numbers < 0))])
        else:
            answer["numbers"] = numbers
        return answer


def order(graph: Sequence[Step]) -> Request[Order]:
    """Ask for the nodes of a graph, in the order in which they are returned."""
    return Request("order", (graph,), schema_of(Order, numbers=Array(dtype="int64", below=len(graph))))
