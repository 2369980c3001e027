"""What one submission may use, and what is left of it.

Only the time that the autograder waits for a submission counts, not that of the verdict. Memory is measured
on Linux only.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

SECONDS_BETWEEN_LOOKS = 0.1
MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Seconds of waiting for it and of CPU time; bytes of memory and files; processes; open files.

    `memory` bounds the private data of a process (PyTorch itself takes some 300 MiB of it), `address_space`
    everything that is mapped, and `all_memory` what all processes hold together. Threads count as processes.
    """

    seconds: float = 60.0
    memory: int = 1280 * MIB
    address_space: int = 4096 * MIB
    all_memory: int = 2048 * MIB
    file_size: int = 16 * MIB
    all_files: int = 32 * MIB
    processes: int = 16
    open_files: int = 128


class TooMuchMemory(Exception):  # noqa: N818 - the submission's reason, in a sentence
    """The processes of a submission together hold more memory than allowed; the message says so."""


class Budget:
    """The seconds left, and the bytes of memory allowed; `held` returns how many are in use."""

    def __init__(self, seconds: float, memory: int, held: Callable[[], int]) -> None:
        self.seconds = seconds
        self._left = seconds
        self._memory = memory
        self._held = held
        self._looked = time.monotonic()

    @contextmanager
    def waiting(self) -> Iterator[float]:
        """Count the time of the block; yield how long it may wait before the memory is measured again.

        Raises TimeoutError if no time is left, and TooMuchMemory.
        """
        start = time.monotonic()
        if self._left <= 0:
            raise TimeoutError
        if start - self._looked >= SECONDS_BETWEEN_LOOKS:
            if self._held() > self._memory:
                raise TooMuchMemory(
                    f"The notebook's processes took more than {self._memory // MIB} MB of memory together "
                    "and were stopped."
                )
            self._looked = start
        try:
            yield min(self._left, SECONDS_BETWEEN_LOOKS)
        finally:
            self._left -= time.monotonic() - start


def memory_of(pid: int) -> int:
    """Return the bytes of private and shared memory that the descendants of a process hold.

    Shared memory counts once for each of them, files do not count. The process itself is left out.
    """
    return sum(map(_resident, _descendants(pid)))


def _descendants(pid: int) -> Iterator[int]:
    waiting = [pid]
    while waiting:
        children = _children(waiting.pop())
        yield from children
        waiting += children


def _children(pid: int) -> list[int]:
    """Return the children of all its threads; orphans belong to it or to an ancestor."""
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
