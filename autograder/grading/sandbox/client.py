"""Sends requests to one submission's process: frames of bounded length, as long as its budget lasts."""

from __future__ import annotations

import io
import os
import signal
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from types import TracebackType
from typing import Any, cast

from autograder.grading.sandbox.budget import Budget, Purse, TooMuch
from autograder.guards.allowed import MayUse
from vjpcheck.ask import wire
from vjpcheck.ask.answer_size import frame_size
from vjpcheck.ask.protocol import (
    ListOf,
    Misfit,
    Nothing,
    ProbeClient,
    Record,
    Request,
    Schema,
    Text,
    reply_of,
)
from vjpcheck.probes import Subject
from vjpcheck.result import CannotRun

_OUTPUT = Record({"printed": Text(), "stopped": Text()})


class Loss(CannotRun):
    """The submission's process has ended or was stopped; the message says why."""


class StoppedAtLimit(Loss):
    """The submission's process reached a limit; with other limits it might have gone on."""


class _Reader(io.RawIOBase):
    """Reads a socket as long as the budget lasts, however slowly the other side sends."""

    def __init__(self, connection: socket.socket, budget: Budget, purse: Purse) -> None:
        self._connection = connection
        self._budget = budget
        self._purse = purse

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            with self._budget.waiting() as seconds:
                self._connection.settimeout(seconds)
                try:
                    count = self._connection.recv_into(buffer)
                except TimeoutError:  # the budget raises TimeoutError if the time is up
                    continue
            self._purse.receive(count)
            return count


class Session:
    """Runs cells and asks probes in a process that may lie, hang or die."""

    def __init__(
        self, connection: socket.socket, stop: Callable[[bool], int], budget: Budget, purse: Purse
    ) -> None:
        self._connection = connection
        self._stop = stop
        self._budget = budget
        self._answers = io.BufferedReader(_Reader(connection, budget, purse), 1 << 16)
        self._open = True

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self.close(need_status=False)

    def close(self, need_status: bool = True) -> int:
        """Kill the submission's processes; return the wait status of the first, or -1 if it is not needed."""
        if not self._open:
            return -1
        self._open = False
        status = self._stop(need_status)  # first: a process whose connection closes ends by itself
        self._connection.close()
        return status

    def begin(self) -> str | None:
        """Wait until the process is ready and return None, or why it could not be isolated."""
        try:
            answer = wire.receive(cast(Any, self._answers))
        except (wire.BrokenFrame, OSError) as error:
            return str(error) or type(error).__name__
        return None if answer == {"reply": None} else str(answer.get("failed", answer))[:500]

    def run(self, sources: Sequence[str], may_use: Sequence[MayUse] | None = None) -> list[tuple[str, str]]:
        """Run cells; return each cell's output, and in a sentence what stopped it, or ''.

        They run under guards if `may_use` says what their exercises may use. Raises Loss if the process does
        not survive them.
        """
        try:
            schema = ListOf(_OUTPUT, len(sources))
            message = {"run": list(sources), "may_use": None if may_use is None else list(may_use)}
            answers = schema.read(self.exchange(message, [schema]), "what the cells say")
        except Misfit as misfit:
            raise Loss(f"The notebook's process sent an invalid answer: {misfit}.") from None
        return [(item["printed"], item["stopped"]) for item in answers]

    def refused(self) -> list[str]:
        """Return what the guards have refused since the last call, each with its line."""
        lines = Text()
        said = str(lines.read(self.exchange({"refused": True}, [lines]), "what was refused"))
        return said.splitlines()

    def open(self, subject: Subject, expression: str) -> SandboxProbe:
        """Return a probe of the value of `expression` in the notebook; raises CannotRun if there is none."""
        self.exchange({"open": [asdict(subject), expression]}, [Nothing()])
        return SandboxProbe(self)

    def exchange(self, message: Mapping[str, Any], answers: Iterable[Schema]) -> Any:
        """Send a message and return the reply, which may be as large as such answers can be.

        Raises CannotRun if the reply is a refusal, Loss if none comes.
        """
        size = frame_size(answers)
        frame = wire.encode({**message, "at_most": (size.text, size.arrays)})
        with self._losing():
            with self._budget.waiting() as seconds:
                self._connection.settimeout(seconds)
                self._connection.sendall(frame)
            reply = wire.receive(cast(Any, self._answers), size.text, size.arrays)
        return reply_of(reply)

    @contextmanager
    def _losing(self) -> Iterator[None]:
        """Raise Loss with the reason if the process stops answering."""
        if not self._open:
            raise Loss("The notebook's process has ended.")
        try:
            yield
        except TimeoutError:
            self.close()
            raise StoppedAtLimit(
                f"The notebook took longer than {self._budget.seconds:.0f} seconds and was stopped: is "
                "there an endless loop?"
            ) from None
        except TooMuch as error:
            self.close()
            raise StoppedAtLimit(str(error)) from None
        except wire.TooLarge:
            self.close()
            raise Loss("The notebook's process sent more than was requested and was stopped.") from None
        except (wire.BrokenFrame, OSError):
            status = self.close()
            try:
                self._budget.look_at_memory()
            except TooMuch as error:
                raise StoppedAtLimit(str(error)) from None
            raise _how_it_ended(status) from None


class SandboxProbe(ProbeClient):
    """Asks a probe in a submission's process."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def exchange(self, requests: Sequence[Request[Any]]) -> Any:
        """Carry requests to the process, and its answers back."""
        plain = [request.plain() for request in requests]
        return self._session.exchange({"ask": plain}, [request.answer for request in requests])

    def printed(self) -> str:
        """Return what the work has printed so far."""
        printed = Text()
        return str(printed.read(self._session.exchange({"printed": True}, [printed]), "what was printed"))


def _how_it_ended(status: int) -> Loss:
    if status >= 0 and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return StoppedAtLimit(
                "The notebook used up its CPU time and was stopped: is there an endless loop?"
            )
        if number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS):
            return Loss(f"The notebook's process crashed ({signal.Signals(number).name}).")
    return Loss("The notebook ended its own process or closed its connection while it was being checked.")
