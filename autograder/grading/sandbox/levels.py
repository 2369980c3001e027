"""The levels of isolation; each grade records its level, and none is lowered silently."""

from enum import StrEnum

from autograder.refusal import Refusal


class Level(StrEnum):
    """The levels, strongest first."""

    SANDBOX = "sandbox"
    FILTER = "filter"
    PROCESS = "process"

    @property
    def meaning(self) -> str:
        """Return a sentence on what the level prevents and what it does not."""
        return _MEANINGS[self]

    @property
    def weak(self) -> bool:
        """Return whether an instructor must allow this level."""
        return self is not Level.SANDBOX


_MEANINGS = {
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


class TooWeak(Refusal):
    """This machine cannot give the requested isolation; the message says why."""
