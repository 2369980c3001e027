"""Runs a walk over a graph of the engine with a time limit, for topological_order and accumulate."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograder.tasks.calls import called
from vjpcheck.time_limit import time_limit

SECONDS_AT_MOST = 3.0  # some twenty times the duration for the longest chain


@contextmanager
def walk(answer: Any, name: str, **things: Any) -> Iterator[None]:
    """Run a call in the block as `called` does, with a time limit.

    The garbage collector waits meanwhile: it would visit each of 100,000 nodes several times, and take longer
    than the walk.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        with called(answer, name, **things), time_limit(SECONDS_AT_MOST):
            yield
    finally:
        if collecting:
            gc.enable()
