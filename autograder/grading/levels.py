"""How well a submission is shut in; recorded with each grade, and never lowered silently."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """The levels, the strongest first."""

    SANDBOX = "sandbox"
    FILTER = "filter"
    PROCESS = "process"

    @property
    def told(self) -> str:
        """Return what the level keeps out, and what it does not, in a sentence."""
        return _TOLD[self]

    @property
    def weak(self) -> bool:
        """Return whether an instructor must allow this level."""
        return self is not Level.SANDBOX


_TOLD = {
    Level.SANDBOX: (
        "Each submission has namespaces, an empty file system and a system call filter of its own: no files, "
        "no network, no other processes."
    ),
    Level.FILTER: (
        "Each submission has a process of its own with limits and a system call filter: no network, no "
        "writing, no further processes; but it can read what you can read."
    ),
    Level.PROCESS: (
        "Each submission has a process of its own with limits, and can do there whatever you can do: grade "
        "work of people you trust."
    ),
}


class TooWeak(Exception):  # noqa: N818 - a refusal, not an error
    """This machine cannot give the isolation that was asked for; the message says why."""
