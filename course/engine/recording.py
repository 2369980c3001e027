"""Whether operations on Tensors are being recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

mode = SimpleNamespace(recording=True)


@contextmanager
def recording(on: bool) -> Iterator[None]:
    """Switch the recording of operations on or off inside a `with` block."""
    before, mode.recording = mode.recording, on
    try:
        yield
    finally:
        mode.recording = before


def no_grad() -> Any:
    """Leave recording out: what is computed inside a `with` block requires no gradient."""
    return recording(False)
