"""Runs a student's accumulate on graphs of the engine."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property
from types import FrameType
from typing import Any, NotRequired, TypedDict

from autograder.errors import StudentError
from autograder.protocol import Either, Flag, ListOf, Nothing, Number, Request, Text, answer_of
from autograder.tasks.calling import require_callable
from autograder.tasks.engine_graphs import Step, build
from autograder.tasks.engine_walks import walk
from course.engine import Tensor
from course.engine.core import propagate

TRIED: Sequence[Step] = [["leaf", 0.7], ["leaf", 1.3], ["sin", 0], ["triple", 2], ["mul", 1, 3]]


class Gradients(TypedDict):
    """After each call the `.grad` of every leaf: a number, None, or the name of a type that is no Tensor."""

    grads: list[list[float | str | None]]
    error: NotRequired[StudentError]


class Probe:
    """Holds a student's function; raises CannotRun if it cannot be called."""

    def __init__(self, work: Any, name: str) -> None:
        self._work = require_callable(work, name)
        self._name = name

    def accumulate(self, graph: Sequence[Step], seeds: Sequence[float]) -> Gradients:
        """Call the function once a seed on the last Tensor of a graph, and tell the leaves' `.grad`."""
        return self._called(graph, seeds, self._takes_tensors)

    def calls_engine(self, graph: Sequence[Step], seed: float) -> bool:
        """Return whether the function calls the engine's own backward pass."""
        called = False

        def notice(frame: FrameType, event: str, _: Any) -> None:
            nonlocal called
            called = called or (event == "call" and frame.f_code is propagate.__code__)

        takes_tensors, before = self._takes_tensors, sys.getprofile()
        sys.setprofile(notice)
        try:
            self._called(graph, [seed], takes_tensors)
        finally:
            sys.setprofile(before)
        return called

    @cached_property
    def _takes_tensors(self) -> bool:
        """Whether the seed is wanted as a Tensor, as by backward(); a plain number will do as well."""
        by_number, by_tensor = (self._called(TRIED, [1.5], as_tensors) for as_tensors in (False, True))
        return "error" in by_number or "error" not in by_tensor

    def _called(self, graph: Sequence[Step], seeds: Sequence[float], as_tensors: bool) -> Gradients:
        tensors = build(graph)  # all of them held, as a node does not hold its leaf
        leaves = [tensor for tensor in tensors if tensor.is_leaf]
        answer: Gradients = {"grads": []}
        for seed in seeds:
            with walk(answer, self._name):
                self._work(tensors[-1], Tensor(seed) if as_tensors else seed)
            if "error" in answer:
                break
            answer["grads"].append([_value(leaf.grad) for leaf in leaves])
        return answer


def accumulate(graph: Sequence[Step], seeds: Sequence[float]) -> Request[Gradients]:
    """Ask for the gradients of a graph's leaves after a call for each seed."""
    leaves = sum(step[0] == "leaf" for step in graph)
    grads = ListOf(ListOf(Either((Nothing(), Number(), Text())), leaves), len(seeds))
    return Request("accumulate", (graph, seeds), answer_of(Gradients, grads=grads))


def calls_engine(graph: Sequence[Step], seed: float) -> Request[bool]:
    """Ask whether the engine's own backward pass is called."""
    return Request("calls_engine", (graph, seed), Flag())


def _value(gradient: Any) -> float | str | None:
    if gradient is None:
        return None
    if not isinstance(gradient, Tensor):
        return type(gradient).__name__
    return float(gradient.item()) if gradient.size == 1 else f"Tensor of shape {gradient.shape}"
