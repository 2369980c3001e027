"""Counts the runs of PyTorch's engine: native autograd out of a profiler's sight is counted too.

The engine numbers its graph tasks, one a backward pass, across all threads. All functions are taken when this
module is imported, before any student's code runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

_run_backward = torch.autograd.Variable._execution_engine.run_backward
_number = torch._C._current_graph_task_id
_grad = torch.autograd.grad
_zeros, _ones, _clone, _register_hook = (
    torch.zeros,
    torch.ones,
    torch.Tensor.clone,
    torch.Tensor.register_hook,
)
_inference_mode, _enable_grad = torch.inference_mode, torch.enable_grad

_own = 0  # runs that the autograder itself asks for


def grad(*arguments: Any, **keywords: Any) -> tuple[Any, ...]:
    """Return what torch.autograd.grad does, and count the run as the autograder's own."""
    global _own
    _own += 1
    found: tuple[Any, ...] = _grad(*arguments, **keywords)
    return found


def _next_run() -> int:
    """Return the number of a run made now for nothing else."""
    numbers: list[int] = []
    with _inference_mode(False), _enable_grad():
        leaf = _zeros((), requires_grad=True)
        output = _clone(leaf)
        _register_hook(output, lambda _: numbers.append(_number()))
        _run_backward((output,), (_ones(()),), False, False, (leaf,), True, accumulate_grad=False)
    return numbers[0]


@contextmanager
def uncounted() -> Iterator[None]:
    """Count all runs in the block as the autograder's own: a transform runs the engine as it likes."""
    global _own
    first = _next_run()
    try:
        yield
    finally:
        _own += _next_run() - first + 1


class EngineRuns:
    """Counts from when it is made."""

    def __init__(self) -> None:
        self._first = _next_run() - _own

    def hidden(self) -> int:
        """Return how many runs there have been that the autograder has not asked for.

        A call that is refused before the engine runs counts as one of ours, so there may be fewer than none.
        """
        global _own
        _own += 1
        return _next_run() - _own - self._first
