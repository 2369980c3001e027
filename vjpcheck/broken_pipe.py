"""What to do when the reader of our output has gone, as `head` goes after its lines."""

from __future__ import annotations

import os
from typing import TextIO


def discard_output(stream: TextIO) -> None:
    """Send all that is still written to a stream to the null device, Python's own last flush too."""
    with open(os.devnull, "wb") as null:
        os.dup2(null.fileno(), stream.fileno())
