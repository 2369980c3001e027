"""Limits of one submission, in the sandbox and of the grader, and the rest that it has not used.

Memory is measured and bounded on Linux only.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

SECONDS_BETWEEN_LOOKS = 0.1
SECONDS_TO_BEGIN = 30.0  # for a new process to answer, before any code of the submission runs
SECONDS_AT_LEAST = 1.0  # for a process that is started when the time is nearly used up
MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """All limits of one submission.

    In the sandbox: `seconds` bounds the time that the grader waits for one of its processes, and its CPU
    time; other limits are bytes of memory and files, processes and open files. `memory` bounds the private
    data of a process (PyTorch itself takes some 300 MiB of it), `address_space` all its mappings, and
    `all_memory` the memory of all processes together. Threads count as processes.

    In the grader: after `all_seconds` it waits for no process of the submission any more, and after
    `worker_seconds` the worker is stopped from outside; `sent` bounds the bytes that the processes may send
    in all, `grader_memory` those that the worker may take for the submission.
    """

    seconds: float = 60.0
    memory: int = 1280 * MIB
    address_space: int = 4096 * MIB
    all_memory: int = 2048 * MIB
    file_size: int = 16 * MIB
    all_files: int = 32 * MIB
    processes: int = 16
    open_files: int = 128
    all_seconds: float = 100.0
    worker_seconds: float = 120.0
    sent: int = 64 * MIB
    grader_memory: int = 512 * MIB


def limits_of(seconds: float) -> Limits:
    """Return the limits that give a process of a submission `seconds`; the other times are in proportion."""
    longer = seconds / Limits.seconds
    return replace(
        Limits(),
        seconds=seconds,
        all_seconds=longer * Limits.all_seconds,
        worker_seconds=longer * Limits.worker_seconds,
    )


class TooMuch(Exception):  # noqa: N818 - the submission's reason, in a sentence
    """The processes of a submission together hold or send more than allowed; the message says so."""


class Purse:
    """The time and bytes left for one submission, over all processes that run it one after the other."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._end = time.monotonic() + limits.all_seconds
        self._bytes = limits.sent

    def seconds(self) -> float:
        """Return how long the grader may wait for the next process."""
        return max(SECONDS_AT_LEAST, min(self._limits.seconds, self._end - time.monotonic()))

    def receive(self, count: int) -> None:
        """Count bytes that were sent; raises TooMuch."""
        self._bytes -= count
        if self._bytes < 0:
            raise TooMuch(
                f"The notebook's processes sent more than {self._limits.sent // MIB} MB to the autograder "
                "and were stopped."
            )


class Budget:
    """The seconds left, and the bytes of memory allowed; `exceeded` returns whether more are in use.

    The seconds are those until the process has begun; `allow` then sets those of its notebook.
    """

    def __init__(self, seconds: float, memory: int, exceeded: Callable[[], bool]) -> None:
        self.allow(seconds)
        self._memory = memory
        self._exceeded = exceeded
        self._looked = time.monotonic()

    def allow(self, seconds: float) -> None:
        """Set how many seconds are left."""
        self.seconds = self._rest = seconds

    @contextmanager
    def waiting(self) -> Iterator[float]:
        """Count the time of the block; yield how long the block may wait until the memory is measured again.

        Raises TimeoutError if no time is left, and TooMuch.
        """
        start = time.monotonic()
        if self._rest <= 0:
            raise TimeoutError
        if start - self._looked >= SECONDS_BETWEEN_LOOKS:
            self.look_at_memory()
            self._looked = start
        try:
            yield min(self._rest, SECONDS_BETWEEN_LOOKS)
        finally:
            self._rest -= time.monotonic() - start

    def look_at_memory(self) -> None:
        """Raise TooMuch if more memory than allowed is in use, or was when the kernel ended the processes."""
        if self._exceeded():
            raise TooMuch(
                f"The notebook's processes took more than {self._memory // MIB} MB of memory together "
                "and were stopped."
            )


def memory_of(pid: int) -> int:
    """Return the bytes of private and shared memory that the descendants of a process hold.

    Shared memory counts once for each of them; files do not count, and neither does the process itself.
    """
    return sum(map(_resident, _descendants(pid)))


def _descendants(pid: int) -> Iterator[int]:
    waiting = [pid]
    while waiting:
        children = _children(waiting.pop())
        yield from children
        waiting += children


def _children(pid: int) -> list[int]:
    """Return the children of all threads of a process; orphans belong to it or to an ancestor."""
    children: list[int] = []
    with suppress(OSError):  # it has ended meanwhile
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children") as file:
                children += map(int, file.read().split())
    return children


def _resident(pid: int) -> int:
    """Return the memory of a process as any living thread reports it; the first one may have ended."""
    return next((size for thread in _threads(pid) if (size := _resident_of(thread))), 0)


def _threads(pid: int) -> Iterator[str]:
    yield f"/proc/{pid}"
    with suppress(OSError):  # it has ended meanwhile
        yield from (f"/proc/{pid}/task/{thread}" for thread in os.listdir(f"/proc/{pid}/task"))


def _resident_of(thread: str) -> int:
    try:
        with open(f"{thread}/status") as file:
            sizes = [line.split() for line in file if line.startswith(("RssAnon:", "RssShmem:"))]
    except OSError:
        return 0
    return sum(int(line[1]) << 10 for line in sizes)
