"""The probe in a process of its own: `worker` is that process, `RemoteProbe` talks to it.

A file on the command line is tried this way: whatever it does to its process (exit, hang, patch torch),
the verdict is reached in another one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, cast

from autograder import wire
from autograder.result import CannotRun

SECONDS_AT_MOST = 60.0


class RemoteProbe:
    """A probe of one name in one file; its methods are those of the exercise's own probe.

    Raises CannotRun if the file cannot be run, ends its process, or takes longer than 60 seconds.
    """

    apart = True

    def __init__(self, exercise_id: str, path: Path) -> None:
        self._path = path
        command = [sys.executable, "-m", "autograder.worker", exercise_id, str(path)]
        environment = {**os.environ, "MPLBACKEND": "Agg"}  # a plot must not open a window
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # so that processes which the work starts are stopped with it
        )
        self._requests = cast(BinaryIO, self._process.stdin)
        self._answers = cast(BinaryIO, self._process.stdout)
        self._late = False
        self._timer = threading.Timer(SECONDS_AT_MOST, self._stop)
        self._timer.start()

    def __enter__(self) -> RemoteProbe:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self._timer.cancel()
        self._kill()
        with suppress(OSError):  # a request that was never read is lost with its reader
            self._requests.close()
        self._answers.close()

    def __getattr__(self, method: str) -> Callable[..., Any]:
        return lambda *arguments: self._ask(method, arguments)

    def _ask(self, method: str, arguments: tuple[Any, ...]) -> Any:
        try:
            wire.send(self._requests, {"method": method, "arguments": arguments})
            answer = wire.receive(self._answers)
        except (wire.BrokenFrame, OSError):
            raise CannotRun(self._why_silent()) from None
        if not isinstance(answer, dict) or "answer" not in answer:
            reason = answer.get("cannot_run") if isinstance(answer, dict) else None
            raise CannotRun(str(reason) if reason else f"{self._path} answered with nonsense.")
        return answer["answer"]

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
            return f"{self._path} broke off the conversation with the autograder while it was being checked."
        if self._late:
            limit = f"{SECONDS_AT_MOST:g} seconds"
            return f"{self._path} took longer than {limit} and was stopped: is there an endless loop?"
        return f"{self._path} ended its own process (exit status {status}) while it was being checked."


def main() -> None:
    """Load the file named on the command line, then answer requests on stdin with frames on stdout."""
    exercise_id, path = sys.argv[1], Path(sys.argv[2])
    requests, answers = _take_over_streams()
    import autograder
    from autograder.capture import captured_output
    from autograder.exercises import find
    from autograder.submission import load

    # the work's own calls of check and grade have been answered where it was written
    autograder.check = autograder.grade = lambda *_: None  # type: ignore[assignment]
    exercise = find(exercise_id)
    with captured_output() as printed:
        try:
            probe = exercise.probe(load(path, exercise.object_name))
        except CannotRun as refusal:
            wire.receive(requests)
            wire.send(answers, {"cannot_run": str(refusal)})
            return
        while True:
            try:
                request = wire.receive(requests)
            except wire.BrokenFrame:
                return
            method = request["method"]
            reply = (
                printed.getvalue() if method == "printed" else getattr(probe, method)(*request["arguments"])
            )
            wire.send(answers, {"answer": reply})


def _take_over_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep stdin and stdout for the conversation and leave the work an empty stdin and a silent stdout."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    silence = os.open(os.devnull, os.O_RDWR)
    os.dup2(silence, 0)
    os.dup2(silence, 1)
    return requests, answers


if __name__ == "__main__":
    main()
