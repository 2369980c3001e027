"""Bounds the memory that this process takes on behalf of one submission (Linux)."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def at_most(more: int) -> Iterator[None]:
    """Let the block take `more` bytes of private data beyond those that the process has now.

    Beyond that, Python raises MemoryError in the block, and a library may end the process.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = private_bytes() + more
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def private_bytes() -> int:
    """Return the bytes of private data that this process has mapped; 0 if the system does not say."""
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmData:"))
    except (OSError, StopIteration):
        return 0
