"""A pool of workers that grade; whatever a submission does to its worker becomes that submission's grade."""

from __future__ import annotations

import math
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection, wait

from autograder.grading.assignment import Assignment
from autograder.grading.given_up import give_up_all
from autograder.grading.jobs import Ending, Job, Outcome, Ready
from autograder.grading.sandbox.budget import Limits
from autograder.grading.sandbox.cgroup import remove_leftovers
from autograder.grading.sandbox.levels import Level
from autograder.project import ROOT

AHEAD = 2  # jobs that a worker holds, so that it need not wait for the gradebook
BYTES_AHEAD = 1 << 16  # of the one that waits: a socket takes no more, and sending must not block us
SECONDS_TO_START = 240.0
STARTS_AT_MOST = 3  # in a row that fail: the cause is no submission, which no worker has got by then
LOOK = 1.0  # seconds between two looks at the workers


class Pool:
    """Grades jobs in at most `jobs` workers, each with a sandbox of its own.

    The first worker starts at once, the others when there is work for them. A job that ends its worker is
    tried once more, after all others and alone. The second time, or when it takes longer than a submission
    may, it has 0 points, and a person is asked.
    """

    def __init__(self, level: Level, jobs: int, limits: Limits | None = None) -> None:
        self.level = level
        self._limits = limits or Limits()
        self._cores = _cores(jobs)
        self._workers: list[_Worker] = []

    def __enter__(self) -> Pool:
        self._workers = [self._worker(self._cores[0])]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()
        remove_leftovers()

    def limit(self, limits: Limits) -> None:
        """Grade under these limits from now on; no job is being graded yet."""
        if limits != self._limits:
            self._limits = limits
            self.__exit__()
            self.__enter__()

    def _worker(self, core: int | None) -> _Worker:
        return _Worker(core, self.level, self._limits)

    def grade(self, assignments: Mapping[str, Assignment], jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Yield an outcome for each job, in the order in which they are done."""
        waiting = _Waiting(jobs)
        wanted = self._cores[len(self._workers) : waiting.count(len(self._cores))]
        self._workers += [self._worker(core) for core in wanted]
        for worker in self._workers:
            worker.begin(assignments)
        failed = 0
        while True:
            for worker in self._workers:
                worker.take_from(waiting)
            if not waiting.any() and not any(worker.has for worker in self._workers):
                return
            wait([worker.ours for worker in self._workers], timeout=LOOK)
            for worker in [*self._workers]:
                said = worker.collect(self._limits.worker_seconds)
                if isinstance(said, Outcome):
                    yield said
                elif isinstance(said, Ready):
                    failed = 0
                elif said is not None:
                    worker.stop()
                    self._workers.remove(worker)
                    yield from self._end(worker, said, assignments, waiting)
                    failed += not worker.ready
                    if failed < STARTS_AT_MOST:
                        self._workers.append(self._worker(worker.core))
                        self._workers[-1].begin(assignments)
                    elif not any(other.ready for other in self._workers):
                        yield from _none_starts(waiting, said.reason)
                        return

    def _end(
        self, worker: _Worker, why: Ending, assignments: Mapping[str, Assignment], waiting: _Waiting
    ) -> Iterator[Outcome]:
        """Put back what a worker had; the first of it was being graded, and may be why the worker ended."""
        if worker.has and why.reason:
            job = worker.has.popleft()
            if worker.alone or worker.late:
                told = give_up_all(assignments, job, self.level, f"It was not graded. {why.reason}")
                yield Outcome(job.student, told)
            else:
                waiting.put_last(job)
        waiting.put_back(worker.has)
        worker.has.clear()


def _none_starts(waiting: _Waiting, reason: str) -> Iterator[Outcome]:
    told = (
        f"{STARTS_AT_MOST} workers ended before they were ready, so no further workers are started. {reason}"
    )
    while job := waiting.take() or waiting.take_last():
        yield Outcome(job.student, fault=told)


class _Waiting:
    """The jobs that no worker holds; read as they are needed. Those that ended a worker come last."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = iter(jobs)
        self._read: deque[Job] = deque()
        self._last: deque[Job] = deque()

    def count(self, at_most: int) -> int:
        """Return how many jobs there are, or `at_most`."""
        self._read.extend(islice(self._jobs, max(0, at_most - len(self._read))))
        return min(len(self._read), at_most)

    def any(self) -> bool:
        """Return whether any job is left."""
        return bool(self.count(1) or self._last)

    def take(self, bytes_at_most: float = math.inf) -> Job | None:
        """Return the next job; None after the last, and where it is larger than that."""
        return self._read.popleft() if self.count(1) and self._read[0].size <= bytes_at_most else None

    def take_last(self) -> Job | None:
        """Return the next of those that have ended a worker."""
        return self._last.popleft() if self._last else None

    def put_back(self, jobs: Iterable[Job]) -> None:
        """Have jobs graded that a worker held and did not come to."""
        self._read.extend(jobs)

    def put_last(self, job: Job) -> None:
        """Have a job tried again after all others."""
        self._last.append(job)


def _cores(jobs: int) -> list[int | None]:
    """Return for each worker the core that it keeps to, None where it may go where it likes.

    Verdict and submission take turns, and wake each other sooner on one core.
    """
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return [*cores[:jobs]] if jobs <= len(cores) else [None] * jobs


class _Worker:
    """One worker, seen from outside: `alone` says that what it has, has ended another one before."""

    def __init__(self, core: int | None, level: Level, limits: Limits) -> None:
        ours, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it is stopped
        with theirs:
            self._process = subprocess.Popen(
                # -P: not the folder of the course, in which anything may lie
                [sys.executable, "-P", "-m", "autograder.grading.worker", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), *_paths())))},
                pass_fds=(theirs.fileno(),),
            )
        self.ours: Connection = Connection(ours.detach())
        self.core = core
        self.ready = self.alone = self.late = False
        self.has: deque[Job] = deque()
        self._waited, self._looked = 0.0, time.monotonic()
        self._assignments: Mapping[str, Assignment] = {}
        self._send((level, limits, core))

    def begin(self, assignments: Mapping[str, Assignment]) -> None:
        """Tell it what the next jobs are about, as soon as it listens."""
        self._assignments = assignments
        if self.ready:
            self._send(dict(assignments))

    def take_from(self, waiting: _Waiting) -> None:
        """Give it jobs to do and, after all others, one that has ended a worker."""
        if not self.ready or (self.alone and self.has):
            return
        self.alone = False
        while len(self.has) < AHEAD and (job := waiting.take(BYTES_AHEAD if self.has else math.inf)):
            self._give(job)
        if not self.has and (job := waiting.take_last()):
            self.alone = True
            self._give(job)

    def _give(self, job: Job) -> None:
        if not self.has:
            self._waited, self._looked = 0.0, time.monotonic()
        self.has.append(job)
        self._send(job)

    def _send(self, message: object) -> None:
        with suppress(OSError):  # it has died, which `collect` will report
            self.ours.send(message)

    def collect(self, seconds: float) -> Outcome | Ready | Ending | None:
        """Return what it says, if anything, or that it has ended or takes longer than so many seconds."""
        try:
            if self.ours.poll():
                said: Outcome | Ready | Ending = self.ours.recv()  # our own process: no student's pickle
                self._waited = 0.0
                if isinstance(said, Outcome):
                    self.has.popleft()
                if isinstance(said, Ready):
                    self.ready = True
                    self.begin(self._assignments)
                return said
        except (EOFError, OSError):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            return Ending(f"The grading process ended unexpectedly ({self._how()}).")
        now = time.monotonic()
        # not more than it takes to look: while we are stopped, or busy, nobody's time runs
        self._waited, self._looked = self._waited + min(now - self._looked, 2 * LOOK), now
        if not self.ready and self._waited > SECONDS_TO_START:
            return Ending(f"The worker was not ready after {SECONDS_TO_START:.0f} seconds.")
        if self.has and self._waited > seconds:
            self.late = True
            return Ending(f"Grading took longer than {seconds:.0f} seconds.")
        return None

    def stop(self) -> None:
        """End it, and what it has started."""
        self._process.kill()
        self._process.wait()
        self.ours.close()
        self._errors.close()

    def _how(self) -> str:
        status = self._process.returncode
        if self.ready or (status is not None and status < 0):
            return f"exit status {status}"
        self._errors.seek(0)
        lines = self._errors.read()[-4000:].decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"exit status {status}"


def _paths() -> list[str]:
    return os.environ.get("PYTHONPATH", "").split(os.pathsep)
