"""What a submission has left of its time, and whether its processes together keep to their memory.

The time is that in which the autograder waits for it: a verdict that takes long costs nobody any.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from autograder.grading.limits import MIB

SECONDS_BETWEEN_LOOKS = 0.1


class TooMuchMemory(Exception):  # noqa: N818 - the submission's reason, in a sentence
    """The processes of a submission hold more memory than all of them may; the message says so."""


class Allowance:
    """Seconds of waiting, and bytes that `held` may give."""

    def __init__(self, seconds: float, memory: int, held: Callable[[], int]) -> None:
        self.seconds = seconds
        self._left = seconds
        self._memory = memory
        self._held = held
        self._looked = time.monotonic()

    @contextmanager
    def waiting(self) -> Iterator[float]:
        """Count the time of the block, and say how long it may wait before the next look.

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
