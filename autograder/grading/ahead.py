"""Sends requests before they are made, so that neither side waits for the other at each of them.

A script says what right work is asked: what follows from the exercise and the seed alone, and from no truth
and no submission's answers. What does not go by it is asked all the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any

AT_MOST = 32  # requests under way, and their bytes: less than a socket holds
BYTES_AT_MOST = 1 << 16

Sections = Sequence[Sequence[bytes]]


class Script:
    """Requests in the order in which they are made, in sections: the next one is not sent ahead."""

    def __init__(self, sections: Sections = ()) -> None:
        self._frames = [frame for section in sections for frame in section]
        self._ends = [*accumulate(map(len, sections))]
        self._places: defaultdict[bytes, list[int]] = defaultdict(list)
        for place, frame in enumerate(self._frames):
            self._places[frame].append(place)

    def find(self, frame: bytes, start: int) -> int | None:
        """Return the first place of a request from `start` on, or None."""
        places = self._places.get(frame, ())
        number = bisect_left(places, start)
        return places[number] if number < len(places) else None

    def rest(self, place: int) -> Iterator[bytes]:
        """Yield the requests from a place to the end of the section of the one before it."""
        yield from self._frames[place : self._ends[bisect_left(self._ends, place)]]


class Requests:
    """The requests to one probe, by a script; the last section of `record` gets them as they are made."""

    def __init__(
        self,
        send: Callable[[bytes], None],
        receive: Callable[[], Any],
        script: Script | None = None,
        record: list[list[bytes]] | None = None,
    ) -> None:
        self._send = send
        self._receive = receive
        self._script = script or Script()
        self._record = record
        self._place = 0  # in the script, after what was asked last
        self._next: deque[bytes] = deque()  # those of the script that come next and are not yet sent
        self._under_way: deque[bytes] = deque()

    def ask(self, frame: bytes) -> Any:
        """Return the answer to a request, whether or not it was sent ahead."""
        if self._record is not None:
            self._record[-1].append(frame)
        if self._under_way and self._under_way[0] == frame:
            self._place += 1
        else:
            self.drop()
            self._look_up(frame)
        if len(self._under_way) <= AT_MOST // 2:
            self._fill()
        self._under_way.popleft()
        return self._receive()

    def drop(self) -> None:
        """Take the answers that are on their way, for nobody."""
        self._next.clear()
        while self._under_way:
            self._under_way.popleft()
            self._receive()

    def _look_up(self, frame: bytes) -> None:
        self._next.append(frame)
        found = self._script.find(frame, self._place)
        if found is not None:
            self._place = found + 1
            self._next.extend(self._script.rest(self._place))

    def _fill(self) -> None:
        """Send as many as may be under way, together."""
        now: list[bytes] = []
        size = sum(map(len, self._under_way))
        while self._next and len(self._under_way) < AT_MOST:
            size += len(self._next[0])
            if size > BYTES_AT_MOST and self._under_way:
                break
            now.append(self._next.popleft())
            self._under_way.append(now[-1])
        if now:
            self._send(b"".join(now))
