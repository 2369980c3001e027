"""Whether operations on Tensors are being recorded."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

mode = SimpleNamespace(recording=True)


class recording:  # noqa: N801 - read like a function: `with recording(False):`
    """Switch the recording of operations on or off inside a `with` block."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __enter__(self) -> None:
        self.before, mode.recording = mode.recording, self.on

    def __exit__(self, *_: object) -> None:
        mode.recording = self.before


def no_grad() -> Any:
    """Leave recording out: what is computed inside a `with` block requires no gradient."""
    return recording(False)
