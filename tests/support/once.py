"""What all processes of a run of the tests share, made by the first that needs it."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path


def once(folder: Path, make: Callable[[Path], object]) -> Path:
    """Return the folder, filled by `make` unless another process has done so; others wait meanwhile."""
    done = folder.with_suffix(".done")
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            folder.mkdir(exist_ok=True)
            make(folder)
            done.touch()
    return folder
