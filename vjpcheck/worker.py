"""Runs a probe in a separate process: `main` is that process, `SubprocessProbe` sends it requests.

A file on the command line is tried in this way: whatever it does to its process (exit, hang, patch torch),
the verdict and the truth are in another process.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, cast

import vjpcheck
from vjpcheck.ask import wire
from vjpcheck.ask.answer_size import Size, frame_size
from vjpcheck.ask.protocol import TEXT_AT_MOST, TOO_LARGE, ProbeClient, Request, Text, answers, reply_of
from vjpcheck.capture import captured_output
from vjpcheck.probes import Subject, probe_of
from vjpcheck.result import CannotRun
from vjpcheck.source_file import load

SECONDS_AT_MOST = 60.0


class SubprocessProbe(ProbeClient):
    """Sends requests to the probe of one name in one file; `worker` is the module that runs as the process.

    Raises CannotRun if the file cannot be run, ends its process, or takes longer than 60 seconds.
    """

    def __init__(self, subject: Subject, path: Path, worker: str = __name__) -> None:
        self._path = path
        command = [sys.executable, "-m", worker, json.dumps(asdict(subject)), str(path)]
        environment = {**os.environ, "MPLBACKEND": "Agg"}  # a plot must not open a window
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # so that processes that the work starts are stopped with it
        )
        self._requests = cast(BinaryIO, self._process.stdin)
        self._answers = cast(BinaryIO, self._process.stdout)
        self._late = False
        self._timer = threading.Timer(SECONDS_AT_MOST, self._stop)
        self._timer.start()

    def __enter__(self) -> SubprocessProbe:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self._timer.cancel()
        self._kill()
        with suppress(OSError):  # the process may have ended without reading a request
            self._requests.close()
        self._answers.close()

    def exchange(self, requests: Sequence[Request[Any]]) -> Any:
        """Send requests to the process and return its answers."""
        size = frame_size(request.answer for request in requests)
        return self._exchange({"ask": [request.plain() for request in requests]}, size)

    def printed(self) -> str:
        """Return the output of the work so far."""
        return str(Text().read(self._exchange({"printed": True}, frame_size([Text()])), "what was printed"))

    def _exchange(self, message: Mapping[str, Any], size: Size) -> Any:
        try:
            wire.send(self._requests, message)
            reply = wire.receive(self._answers, size.text, size.arrays)
        except wire.TooLarge:
            self._kill()
            raise CannotRun(TOO_LARGE) from None
        except (wire.BrokenFrame, OSError):
            raise CannotRun(self._why_silent()) from None
        return reply_of(reply)

    def _stop(self) -> None:
        self._late = True
        self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # gone already, or (on macOS) a zombie
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _why_silent(self) -> str:
        try:
            status = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self._kill()
            return f"{self._path} closed its connection to vjpcheck while it was being checked."
        if self._late:
            limit = f"{SECONDS_AT_MOST:g} seconds"
            return f"{self._path} took longer than {limit} and was stopped: is there an endless loop?"
        return f"{self._path} ended its own process (exit status {status}) while it was being checked."


def main() -> None:
    """Load the file named on the command line, then answer requests on stdin with frames on stdout."""
    subject, path = Subject(**json.loads(sys.argv[1])), Path(sys.argv[2])
    requests, replies = _take_over_streams()
    vjpcheck.diagnose = vjpcheck.assert_backward = _silent  # type: ignore[assignment]  # a file may call them
    with suppress(CannotRun):  # refuses None, but first imports all its modules, unpatched
        probe_of(subject, None)
    with captured_output() as printed:
        try:
            probe = probe_of(subject, load(path, subject.name))
        except CannotRun as refusal:
            wire.receive(requests)
            wire.send(replies, {"cannot_run": str(refusal)})
            return
        while True:
            try:
                message = wire.receive(requests)
            except wire.BrokenFrame:
                return
            reply = answers(probe, message["ask"]) if "ask" in message else printed.getvalue()[:TEXT_AT_MOST]
            wire.send(replies, {"reply": reply})


def _silent(*_: Any, **__: Any) -> None:
    pass


def _take_over_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep stdin and stdout for the requests, and give the work an empty stdin and a silent stdout."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    silence = os.open(os.devnull, os.O_RDWR)
    os.dup2(silence, 0)
    os.dup2(silence, 1)
    return requests, replies


if __name__ == "__main__":
    main()
