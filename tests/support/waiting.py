"""Waits for what another process does; the limit only tells a wait from a hang."""

from __future__ import annotations

import time
from collections.abc import Callable


def until(happened: Callable[[], object], seconds: float = 120) -> bool:
    """Return whether it has happened, as soon as it has or when the seconds are over."""
    deadline = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
