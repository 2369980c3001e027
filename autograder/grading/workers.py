"""A pool of workers that grade; a submission that ends its worker gets that as its grade."""

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
from autograder.grading.jobs import Ending, Job, Outcome, Ready
from autograder.grading.sandbox.budget import Limits
from autograder.grading.sandbox.cgroup import remove_leftovers
from autograder.grading.sandbox.levels import Level
from autograder.grading.zero_grade import give_zeros
from autograder.project import ROOT

AHEAD = 2  # jobs that a worker holds, so that it need not wait for the gradebook
BYTES_AHEAD = 1 << 16  # of the waiting job: a socket takes no more, and sending must not block the pool
SECONDS_TO_START = 240.0
STARTS_AT_MOST = 3  # failed starts in a row; no submission causes them, as no worker has one yet
LOOK = 1.0  # seconds between two looks at the workers


class Pool:
    """Grades jobs in at most `jobs` workers, each with a sandbox of its own.

    The first worker starts at once, the others when there is work for them. A job that ends its worker is
    tried once more, after all others and alone. If it ends a second worker, or takes longer than a submission
    may, it gets 0 points, and a person is asked to decide.
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

    @property
    def started(self) -> bool:
        """Return whether all workers grade."""
        return all(worker.ready for worker in self._workers)

    def limit(self, limits: Limits) -> None:
        """Set the limits; call this before any job is graded."""
        if limits != self._limits:
            self._limits = limits
            self.__exit__()
            self.__enter__()

    def _worker(self, core: int | None) -> _Worker:
        return _Worker(core, self.level, self._limits)

    def grade(self, assignments: Mapping[str, Assignment], jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Yield an outcome for each job, in the order in which they finish."""
        waiting = _Waiting(jobs)
        idle_cores = self._cores[len(self._workers) : waiting.count(len(self._cores))]
        self._workers += [self._worker(core) for core in idle_cores]
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
                message = worker.collect(self._limits.worker_seconds)
                if isinstance(message, Outcome):
                    yield message
                elif isinstance(message, Ready):
                    failed = 0
                elif message is not None:
                    worker.stop()
                    self._workers.remove(worker)
                    yield from self._end(worker, message, assignments, waiting)
                    failed += not worker.ready
                    if failed < STARTS_AT_MOST:
                        self._workers.append(self._worker(worker.core))
                        self._workers[-1].begin(assignments)
                    elif not any(other.ready for other in self._workers):
                        yield from _none_starts(waiting, message.reason)
                        return

    def _end(
        self, worker: _Worker, why: Ending, assignments: Mapping[str, Assignment], waiting: _Waiting
    ) -> Iterator[Outcome]:
        """Put back a worker's jobs; the first one was being graded, and may have ended the worker."""
        if worker.has and why.reason:
            job = worker.has.popleft()
            if worker.alone or worker.late:
                grades = give_zeros(assignments, job, self.level, f"It was not graded. {why.reason}")
                yield Outcome(job.student, grades)
            else:
                waiting.put_retry(job)
        waiting.put_back(worker.has)
        worker.has.clear()


def _none_starts(waiting: _Waiting, reason: str) -> Iterator[Outcome]:
    fault = (
        f"{STARTS_AT_MOST} workers ended before they were ready, so no further workers are started. {reason}"
    )
    while job := waiting.take() or waiting.take_retry():
        yield Outcome(job.student, fault=fault)


class _Waiting:
    """The jobs that no worker has, read as they are needed. Those that ended a worker come last."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = iter(jobs)
        self._next: deque[Job] = deque()
        self._retries: deque[Job] = deque()

    def count(self, at_most: int) -> int:
        """Return how many jobs there are, or `at_most`."""
        self._next.extend(islice(self._jobs, max(0, at_most - len(self._next))))
        return min(len(self._next), at_most)

    def any(self) -> bool:
        """Return whether any job is left."""
        return bool(self.count(1) or self._retries)

    def take(self, bytes_at_most: float = math.inf) -> Job | None:
        """Return the next job; None after the last one, or if the next one is larger than `bytes_at_most`."""
        return self._next.popleft() if self.count(1) and self._next[0].size <= bytes_at_most else None

    def take_retry(self) -> Job | None:
        """Return the next job that has ended a worker."""
        return self._retries.popleft() if self._retries else None

    def put_back(self, jobs: Iterable[Job]) -> None:
        """Put back the jobs that a worker had and did not grade."""
        self._next.extend(jobs)

    def put_retry(self, job: Job) -> None:
        """Put back a job that is tried again after all others."""
        self._retries.append(job)


def _cores(jobs: int) -> list[int | None]:
    """Return the core of each worker; None if it may use any core.

    Verdict and submission take turns, and wake each other sooner on one core.
    """
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return [*cores[:jobs]] if jobs <= len(cores) else [None] * jobs


class _Worker:
    """The pool's side of one worker; `alone` means that its job has ended another worker before."""

    def __init__(self, core: int | None, level: Level, limits: Limits) -> None:
        ours, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it is stopped
        with theirs:
            self._process = subprocess.Popen(
                # -P: do not import from the course's folder, which may contain anything
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
        """Send the assignments of the next jobs to the worker, as soon as it is ready."""
        self._assignments = assignments
        if self.ready:
            self._send(dict(assignments))

    def take_from(self, waiting: _Waiting) -> None:
        """Give the worker jobs and, after all others, one that has ended a worker."""
        if not self.ready or (self.alone and self.has):
            return
        self.alone = False
        while len(self.has) < AHEAD and (job := waiting.take(BYTES_AHEAD if self.has else math.inf)):
            self._give(job)
        if not self.has and (job := waiting.take_retry()):
            self.alone = True
            self._give(job)

    def _give(self, job: Job) -> None:
        if not self.has:
            self._waited, self._looked = 0.0, time.monotonic()
        self.has.append(job)
        self._send(job)

    def _send(self, message: object) -> None:
        with suppress(OSError):  # the worker has died, which `collect` will report
            self.ours.send(message)

    def collect(self, seconds: float) -> Outcome | Ready | Ending | None:
        """Return the worker's next message, if any; an Ending if it has ended or takes too long."""
        try:
            if self.ours.poll():
                message: Outcome | Ready | Ending = self.ours.recv()  # our own process: no student's pickle
                self._waited = 0.0
                if isinstance(message, Outcome):
                    self.has.popleft()
                if isinstance(message, Ready):
                    self.ready = True
                    self.begin(self._assignments)
                return message
        except (EOFError, OSError):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            return Ending(f"The grading process ended unexpectedly ({self._how()}).")
        now = time.monotonic()
        # count at most two looks: time in which this process is stopped or busy does not count
        self._waited, self._looked = self._waited + min(now - self._looked, 2 * LOOK), now
        if not self.ready and self._waited > SECONDS_TO_START:
            return Ending(f"The worker was not ready after {SECONDS_TO_START:.0f} seconds.")
        if self.has and self._waited > seconds:
            self.late = True
            return Ending(f"Grading took longer than {seconds:.0f} seconds.")
        return None

    def stop(self) -> None:
        """Kill the worker; its sandbox ends with it."""
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
