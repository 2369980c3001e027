"""Refusals: the sentence that a command prints in place of its work."""

from collections.abc import Iterator
from contextlib import contextmanager


class Refusal(Exception):  # noqa: N818 - said to the instructor
    """A command cannot do what it is asked to do; the message says why and what to do."""


@contextmanager
def refusing_files() -> Iterator[None]:
    """Raise a Refusal for a file that cannot be written in the block."""
    try:
        yield
    except OSError as error:
        place = error.filename or "A file"
        raise Refusal(f"{place} cannot be written: {error.strerror}.") from error
