"""Bounds the memory that this process takes on behalf of one submission (Linux)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def at_most(more: int) -> Iterator[None]:
    """Let the block take so many more bytes of private data than are held now.

    Beyond that, Python raises MemoryError in it, and a library may end the process.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    before, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = held() + more
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, hard))


def held() -> int:
    """Return the bytes of private data that this process has mapped, 0 where that is not told."""
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmData:"))
    except (OSError, StopIteration):
        return 0
