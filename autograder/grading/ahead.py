"""Sends the requests that are expected before they are made, so that neither side waits for the other.

Submissions are tried with the same numbers in one run, so a verdict mostly asks what it asked the last time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

AT_MOST = 16  # requests under way, and their bytes: far less than a socket holds
BYTES_AT_MOST = 1 << 15


class Requests:
    """The requests to one probe; `asked` are those made, to be expected the next time."""

    def __init__(
        self, send: Callable[[bytes], None], receive: Callable[[], Any], expected: Sequence[bytes]
    ) -> None:
        self._send = send
        self._receive = receive
        self._expected = expected
        self._place = self._sent = 0  # the answer that comes next, the request that goes next
        self.asked: list[bytes] = []

    def ask(self, frame: bytes) -> Any:
        """Return the answer to a request, whether or not it was expected."""
        self.asked.append(frame)
        if self._place == self._sent or self._expected[self._place] != frame:
            self.drop()
            try:
                self._place = self._sent = self._expected.index(frame, self._place)
            except ValueError:
                self._send(frame)
                return self._receive()
        self._fill()
        self._place += 1
        return self._receive()

    def drop(self) -> None:
        """Take the answers that are on their way, for nobody."""
        while self._place < self._sent:
            self._receive()
            self._place += 1

    def _fill(self) -> None:
        """Send as many of the expected as may be under way, once there are only a few."""
        if self._sent - self._place > AT_MOST // 2:
            return
        start, under_way = self._sent, sum(map(len, self._expected[self._place : self._sent]))
        while self._sent < min(len(self._expected), self._place + AT_MOST):
            under_way += len(self._expected[self._sent])
            if under_way > BYTES_AT_MOST and self._sent > self._place:
                break
            self._sent += 1
        if self._sent > start:
            self._send(b"".join(self._expected[start : self._sent]))
