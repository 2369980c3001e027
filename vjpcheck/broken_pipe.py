"""Handles a closed stdout, as in `vjpcheck … | head`."""

from __future__ import annotations

import os
from typing import TextIO


def discard_output(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that Python's flush at exit raises no error."""
    with open(os.devnull, "wb") as null:
        os.dup2(null.fileno(), stream.fileno())
