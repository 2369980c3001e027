"""Sends the requests that are announced before they are made, so that neither side waits for the other.

A verdict announces only what it asks whatever the answers are: nothing that is sent ahead follows from a
truth, and nothing comes from another submission, which is tried with other numbers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

AT_MOST = 16  # requests under way, and their bytes: far less than a socket holds
BYTES_AT_MOST = 1 << 15


class Requests:
    """The requests to one probe."""

    def __init__(self, send: Callable[[bytes], None], receive: Callable[[], Any]) -> None:
        self._send = send
        self._receive = receive
        self._under_way: deque[bytes] = deque()
        self._announced: deque[bytes] = deque()

    def announce(self, frames: Iterable[bytes]) -> None:
        """Say what will be asked next, in this order."""
        self._announced.extend(frames)

    def ask(self, frame: bytes) -> Any:
        """Return the answer to a request, whether or not it was announced."""
        self._fill()
        if not self._under_way or self._under_way[0] != frame:
            self.drop()
            self._send(frame)
            return self._receive()
        self._under_way.popleft()
        return self._receive()

    def drop(self) -> None:
        """Take the answers that are on their way, for nobody, and expect nothing any more."""
        self._announced.clear()
        while self._under_way:
            self._under_way.popleft()
            self._receive()

    def _fill(self) -> None:
        """Send as many of the announced as may be under way, once there are only a few."""
        if not self._announced or len(self._under_way) > AT_MOST // 2:
            return
        now: list[bytes] = []
        size = sum(map(len, self._under_way))
        while self._announced and len(self._under_way) < AT_MOST:
            size += len(self._announced[0])
            if size > BYTES_AT_MOST and self._under_way:
                break
            now.append(self._announced.popleft())
            self._under_way.append(now[-1])
        if now:
            self._send(b"".join(now))
