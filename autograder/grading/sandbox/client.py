"""The conversation with one submission's process: frames of bounded length, as long as its budget lasts."""

from __future__ import annotations

import io
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, cast

from autograder import wire
from autograder.grading.sandbox.budget import Budget, TooMuchMemory
from autograder.protocol import ListOf, Misfit, ProbeClient, Record, Text, reply_of
from autograder.result import CannotRun

_SAID = Record({"printed": Text(), "stopped": Text()})


class Lost(CannotRun):
    """The submission's process has ended or was stopped; the message says why."""


class _Reader(io.RawIOBase):
    """Reads a socket as long as the budget lasts, however slowly the other side sends."""

    def __init__(self, connection: socket.socket, budget: Budget) -> None:
        self._connection = connection
        self._budget = budget

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            with self._budget.waiting() as seconds:
                self._connection.settimeout(seconds)
                try:
                    return self._connection.recv_into(buffer)
                except TimeoutError:  # time to look at the budget, which raises it if the time is up
                    continue


class Session:
    """Runs cells and asks probes in a process that may lie, hang or die."""

    def __init__(self, connection: socket.socket, stop: Callable[[bool], int], budget: Budget) -> None:
        self._connection = connection
        self._stop = stop
        self._budget = budget
        self._answers = io.BufferedReader(_Reader(connection, budget), 1 << 16)
        self._open = True

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self.close(wanted=False)

    def close(self, wanted: bool = True) -> int:
        """Kill the submission's processes; return the wait status of the first, or -1 if it is not wanted."""
        if not self._open:
            return -1
        self._open = False
        status = self._stop(wanted)  # first: a process whose connection closes ends by itself
        self._connection.close()
        return status

    def begin(self) -> str | None:
        """Return None when the process is ready, else why it could not be isolated."""
        try:
            answer = wire.receive(cast(Any, self._answers))
        except (wire.BrokenFrame, OSError) as error:
            return str(error) or type(error).__name__
        return None if answer == {"reply": None} else str(answer.get("failed", answer))[:500]

    def run(self, sources: Sequence[str]) -> list[tuple[str, str]]:
        """Run cells; return for each what it printed, and in a sentence what stopped it, or ''.

        Raises Lost if the process does not survive them.
        """
        try:
            said = ListOf(_SAID, len(sources)).read(
                self.exchange({"run": list(sources)}), "what the cells say"
            )
        except Misfit as misfit:
            raise Lost(f"The notebook's process answers with nonsense: {misfit}.") from None
        return [(item["printed"], item["stopped"]) for item in said]

    def open(self, exercise_id: str, expression: str) -> SandboxProbe:
        """Return a probe of the value of `expression` in the notebook; raises CannotRun if there is none."""
        self.exchange({"open": [exercise_id, expression]})
        return SandboxProbe(self)

    def exchange(self, message: Mapping[str, Any]) -> Any:
        """Send a message and return the reply; raises CannotRun if it says so, Lost if none comes."""
        frame = wire.encode(message)
        with self._losing():
            with self._budget.waiting() as seconds:
                self._connection.settimeout(seconds)
                self._connection.sendall(frame)
            reply = wire.receive(cast(Any, self._answers))
        return reply_of(reply)

    @contextmanager
    def _losing(self) -> Iterator[None]:
        """Raise Lost with what became of the process where the conversation breaks off."""
        if not self._open:
            raise Lost("The notebook's process has ended.")
        try:
            yield
        except TimeoutError:
            self.close()
            raise Lost(
                f"The notebook took longer than {self._budget.seconds:g} seconds and was stopped: is "
                "there an endless loop?"
            ) from None
        except TooMuchMemory as error:
            self.close()
            raise Lost(str(error)) from None
        except (wire.BrokenFrame, OSError):
            raise Lost(_how_it_ended(self.close())) from None


class SandboxProbe(ProbeClient):
    """Asks a probe in a submission's process."""

    apart = True

    def __init__(self, session: Session) -> None:
        self._session = session

    def exchange(self, requests: Sequence[Mapping[str, Any]]) -> Any:
        """Carry requests to the process, and its answers back."""
        return self._session.exchange({"ask": requests})

    def printed(self) -> str:
        """Return what the work has printed so far."""
        return str(Text().read(self._session.exchange({"printed": True}), "what was printed"))


def _how_it_ended(status: int) -> str:
    if status >= 0 and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return "The notebook used up its CPU time and was stopped: is there an endless loop?"
        if number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS):
            return f"The notebook's process crashed ({signal.Signals(number).name})."
    return "The notebook ended its own process or broke off the conversation while it was being checked."
