"""How much memory a process and all that it has started take together (Linux; elsewhere nothing is seen)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress


def held(pid: int) -> int:
    """Return the bytes that the descendants of a process hold: what is theirs alone, and what they share.

    Memory that several of them share counts for each, files do not count. The process itself is left out.
    """
    return sum(map(_resident, _descendants(pid)))


def _descendants(pid: int) -> Iterator[int]:
    waiting = [pid]
    while waiting:
        children = _children(waiting.pop())
        yield from children
        waiting += children


def _children(pid: int) -> list[int]:
    """Return what its threads have started; orphans have moved up to it or to one above it."""
    found: list[int] = []
    with suppress(OSError):  # it has ended meanwhile
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    return found


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/status") as file:
            kept = [line.split() for line in file if line.startswith(("RssAnon:", "RssShmem:"))]
    except OSError:
        return 0
    return sum(int(line[1]) << 10 for line in kept)
