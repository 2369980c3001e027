"""Runs a student's accumulate on graphs of the engine."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NotRequired, TypedDict

from autograder.tasks.calling import Caller
from autograder.tasks.engine_graphs import Step, build, by_name
from autograder.tasks.engine_walks import walk
from autograder.tasks.watching import codes_of, noticing
from course.engine import Tensor
from course.engine.core import propagate
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import Either, ListOf, Nothing, Number, Request, Text, answer_of
from vjpcheck.errors import StudentError
from vjpcheck.probe.callers_world import Changes

ENGINE = codes_of([propagate])
ADDED_TO = "grad"  # what the exercise asks to change, of a leaf
TRIED: Sequence[Step] = [["leaf", 0.7], ["leaf", 1.3], ["sin", 0], ["triple", 2], ["mul", 1, 3]]


class Gradients(TypedDict):
    """After each call the `.grad` of every leaf: a number, None, or the name of a type that is not Tensor.

    `changes` are those that the exercise does not ask for; `handed_over` names the engine's own backward pass
    where it was called.
    """

    grads: list[list[float | str | None]]
    changes: Changes
    handed_over: list[str]
    error: NotRequired[StudentError]


class Probe(Caller):
    """Calls a student's function on graphs."""

    def accumulate(self, graph: Sequence[Step], seeds: Sequence[float], earlier: float | None) -> Gradients:
        """Call the function once a seed on the last Tensor of a graph, and tell the leaves' `.grad`.

        `earlier` is what that holds before the first call.
        """
        return self._called(graph, seeds, earlier, self._takes_tensors)

    @cached_property
    def _takes_tensors(self) -> bool:
        """Whether the seed is wanted as a Tensor, as by backward(); a plain number will do as well."""
        by_number, by_tensor = (self._called(TRIED, [1.5], None, as_tensors) for as_tensors in (False, True))
        return "error" in by_number or "error" not in by_tensor

    def _called(
        self, graph: Sequence[Step], seeds: Sequence[float], earlier: float | None, as_tensors: bool
    ) -> Gradients:
        tensors = build(graph)  # all of them held, as a node does not hold its leaf
        leaves = [tensor for tensor in tensors if tensor.is_leaf]
        for leaf in leaves:
            leaf.grad = None if earlier is None else Tensor(earlier)
        answer, given = blank(Gradients), by_name(tensors)
        with walk(answer, self._name, **given), noticing(ENGINE, answer["handed_over"]):
            for seed in seeds:
                self._work(tensors[-1], Tensor(seed) if as_tensors else seed)
                answer["grads"].append([_value(leaf.grad) for leaf in leaves])
        for place in [name for name, tensor in given.items() if any(tensor is leaf for leaf in leaves)]:
            if answer["changes"].get(place) == [ADDED_TO]:
                del answer["changes"][place]
        return answer


def accumulate(graph: Sequence[Step], seeds: Sequence[float], earlier: float | None) -> Request[Gradients]:
    """Ask for the gradients of a graph's leaves after a call for each seed."""
    leaves = sum(step[0] == "leaf" for step in graph)
    grads = ListOf(ListOf(Either((Nothing(), Number(), Text())), leaves), len(seeds))
    return Request("accumulate", (graph, seeds, earlier), answer_of(Gradients, grads=grads))


def _value(gradient: Any) -> float | str | None:
    if gradient is None:
        return None
    if not isinstance(gradient, Tensor):
        return type(gradient).__name__
    return float(gradient.item()) if gradient.size == 1 else f"Tensor of shape {gradient.shape}"
