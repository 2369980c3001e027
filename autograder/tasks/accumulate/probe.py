"""Runs a student's accumulate on graphs of the engine."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from autograder.tasks.calls import Answer, FunctionProbe
from autograder.tasks.engine_graphs import Step, build, by_name, name
from autograder.tasks.engine_walks import walk
from autograder.tasks.watch import codes_of, noticing
from course.engine import Tensor
from course.engine.core import propagate
from vjpcheck.ask.answers import blank
from vjpcheck.errors import WrongReturn

ENGINE = codes_of([propagate])
ADDED_TO = "grad"  # the only aspect of a leaf that the exercise asks to change
TRIED: Sequence[Step] = [["leaf", 0.7], ["leaf", 1.3], ["sin", 0], ["triple", 2], ["mul", 1, 3]]


class Probe(FunctionProbe):
    """Calls the function on graphs."""

    def accumulate(self, graph: Sequence[Step], seeds: Sequence[float], earlier: float | None) -> Answer:
        """Call the function once per seed on the last Tensor of a graph, and return each leaf's `.grad`.

        `earlier` is the `.grad` before the first call.
        """
        return self._call(graph, seeds, earlier, self._takes_tensors)

    @cached_property
    def _takes_tensors(self) -> bool:
        """Return whether the function needs the seed as a Tensor, like backward(); else it takes a number."""
        by_number, by_tensor = (self._call(TRIED, [1.5], None, as_tensors) for as_tensors in (False, True))
        return "error" in by_number or "error" not in by_tensor

    def _call(
        self, graph: Sequence[Step], seeds: Sequence[float], earlier: float | None, as_tensors: bool
    ) -> Answer:
        tensors = build(graph)  # keep references to all, as a node has none to its leaf
        leaves = {name(i): tensor for i, tensor in enumerate(tensors) if tensor.is_leaf}
        for leaf in leaves.values():
            leaf.grad = None if earlier is None else Tensor(earlier)
        answer, objects, values = blank(Answer), by_name(tensors), dict[str, np.ndarray | None]()
        with walk(answer, self._name, **objects), noticing(ENGINE, answer["handed_over"]):
            for call, seed in enumerate(seeds):
                self._work(tensors[-1], Tensor(seed) if as_tensors else seed)
                values |= {value_name(of, call): _value(of, leaf.grad) for of, leaf in leaves.items()}
            answer["values"] = values
        for of in leaves.keys() & objects.keys():
            if answer["changes"].get(of) == [ADDED_TO]:
                del answer["changes"][of]
        return answer


def value_name(leaf: str, call: int) -> str:
    """Return the name of a leaf's `.grad` after a call."""
    return f"{leaf}.grad after the second call" if call else f"{leaf}.grad"


def _value(leaf: str, gradient: Any) -> np.ndarray | None:
    if gradient is not None and not (isinstance(gradient, Tensor) and gradient.size == 1):
        raise WrongReturn(f"{leaf}.grad is a {type(gradient).__name__}; it must be a Tensor like {leaf}.")
    return None if gradient is None else np.asarray(float(gradient.item()))
