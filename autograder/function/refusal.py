"""What gradcheck has against a Function."""

from __future__ import annotations

from typing import NamedTuple


class Refusal(NamedTuple):
    """Its message in one line, and whether the work itself raised it."""

    message: str
    raised: bool
