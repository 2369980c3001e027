"""What the probes of topological_order and accumulate share: a walk over a graph of the engine, fenced in."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograder.tasks.calling import called
from vjpcheck.time_limit import time_limit

SECONDS_AT_MOST = 3.0  # some twenty times what the longest chain takes


@contextmanager
def walk(answer: Any, name: str, **things: Any) -> Iterator[None]:
    """Run a call in the block as `called` does; that it took too long is an error, too.

    Lets the collector wait: it would look at each of 100,000 nodes several times, and take longer than the
    walk.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        with called(answer, name, **things), time_limit(SECONDS_AT_MOST):
            yield
    finally:
        if collecting:
            gc.enable()
