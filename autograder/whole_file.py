"""Files that are written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a path beside another to write to; after the block it takes the other's place.

    If the block fails (a full disk, say), the other file stays, and nothing is left beside it.
    """
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        yield part
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
