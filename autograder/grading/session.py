"""The conversation with one submission's process: length-checked frames, as long as its allowance lasts."""

from __future__ import annotations

import io
import os
import re
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, cast

from autograder import wire
from autograder.grading.ahead import Requests, Script
from autograder.grading.allowance import Allowance, TooMuchMemory
from autograder.grading.talk import OPEN, PRINTED, RUN
from autograder.result import CannotRun

TEXT_AT_MOST = 10_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Lost(CannotRun):
    """The submission's process is gone, or was stopped; the message says what happened to it."""


class _Reader(io.RawIOBase):
    """Reads a socket as long as the allowance lasts, however slowly the other side sends."""

    def __init__(self, connection: socket.socket, allowance: Allowance) -> None:
        self._connection = connection
        self._allowance = allowance

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            with self._allowance.waiting() as seconds:
                self._connection.settimeout(seconds)
                try:
                    return self._connection.recv_into(buffer)
                except TimeoutError:  # of this look; the next one raises it if the time is up
                    continue


class Session:
    """Runs cells and asks probes in a process that may lie, hang or die."""

    def __init__(self, connection: socket.socket, stop: Callable[[bool], int], allowance: Allowance) -> None:
        self._connection = connection
        self._stop = stop
        self._allowance = allowance
        self._answers = io.BufferedReader(_Reader(connection, allowance), 1 << 16)
        self._open = True
        self._requests = Requests(self._send, self._receive)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self.close(wanted=False)

    def close(self, wanted: bool = True) -> int:
        """Kill the submission's processes; return the wait status of the first, or -1 if it is not wanted."""
        if not self._open:
            return -1
        self._open = False
        status = self._stop(wanted)  # before the connection ends: who killed it is to be seen in the status
        self._connection.close()
        return status

    def begin(self) -> str | None:
        """Return None when the process is ready, else why it could not be shut in."""
        try:
            answer = wire.receive(cast(Any, self._answers))
        except (wire.BrokenFrame, OSError) as error:
            return str(error) or type(error).__name__
        return None if answer == {"answer": None} else str(answer.get("failed", answer))[:500]

    def run(self, sources: Sequence[str]) -> list[tuple[str, str]]:
        """Run cells; return for each what it printed, and the sentence about what stopped it or ''.

        Raises Lost if the process does not survive them.
        """
        answer = self._ask(RUN, [list(sources)])
        if not isinstance(answer, list) or len(answer) != len(sources):
            raise Lost("The notebook answers the autograder with nonsense.")
        return [(_text(item, "printed"), _text(item, "stopped")) for item in answer]

    def open(
        self,
        exercise_id: str,
        expression: str,
        script: Script | None = None,
        record: list[list[bytes]] | None = None,
    ) -> RemoteProbe:
        """Return the probe of what the notebook calls `expression` now; raises CannotRun if there is none.

        It is asked ahead what the script says next; the last section of `record` gets what it is asked.
        """
        self._ask(OPEN, [exercise_id, expression])
        self._requests = Requests(self._send, self._receive, script, record)
        return RemoteProbe(self._requests)

    def _ask(self, method: str, arguments: Sequence[Any]) -> Any:
        self._requests.drop()
        self._send(_frame(method, arguments))
        return understood(self._receive())

    def _send(self, frame: bytes) -> None:
        with self._losing(), self._allowance.waiting() as seconds:
            self._connection.settimeout(seconds)
            self._connection.sendall(frame)

    def _receive(self) -> Any:
        with self._losing():
            return wire.receive(cast(Any, self._answers))

    @contextmanager
    def _losing(self) -> Iterator[None]:
        """Say what became of the process where the conversation breaks off."""
        if not self._open:
            raise Lost("The notebook's process has ended.")
        try:
            yield
        except TimeoutError:
            self.close()
            raise Lost(
                f"The notebook took longer than {self._allowance.seconds:g} seconds and was stopped: is "
                "there an endless loop?"
            ) from None
        except TooMuchMemory as error:
            self.close()
            raise Lost(str(error)) from None
        except (wire.BrokenFrame, OSError):
            raise Lost(_how_it_ended(self.close())) from None


class RemoteProbe:
    """A probe in a submission's process; its methods are those of the exercise's own probe."""

    apart = True

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def __getattr__(self, method: str) -> Callable[..., Any]:
        return lambda *arguments: understood(self._requests.ask(_frame(method, arguments)))

    def printed(self) -> str:
        """Return what the work has printed so far."""
        return str(understood(self._requests.ask(_frame(PRINTED, []))))


def _frame(method: str, arguments: Sequence[Any]) -> bytes:
    return wire.encode({"method": method, "arguments": arguments})


def understood(answer: Any) -> Any:
    """Return what an answer says; raises CannotRun where it says that the work cannot be tried."""
    answer = clean(answer)
    if not isinstance(answer, dict) or "answer" not in answer:
        reason = answer.get("cannot_run") if isinstance(answer, dict) else None
        raise CannotRun(str(reason) if reason else "The notebook answers the autograder with nonsense.")
    return answer["answer"]


def clean(value: Any) -> Any:
    """Return the value with texts of bounded length and without characters that a page cannot show."""
    if isinstance(value, str):
        if len(value) <= TEXT_AT_MOST and value.isprintable():
            return value
        return _CONTROL.sub("\ufffd", value[:TEXT_AT_MOST])
    if isinstance(value, list):
        return [clean(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    return value


def _text(item: Any, key: str) -> str:
    value = item.get(key) if isinstance(item, dict) else None
    return value if isinstance(value, str) else ""


def _how_it_ended(status: int) -> str:
    if status >= 0 and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return "The notebook used up its CPU time and was stopped: is there an endless loop?"
        if number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS):
            return f"The notebook's process crashed ({signal.Signals(number).name})."
    return "The notebook ended its own process or broke off the conversation while it was being checked."
