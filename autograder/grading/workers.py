"""A pool of processes that grade; if one dies or hangs, its submission is tried once more."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, SpawnContext

from autograder.grading.assignment import Assignment
from autograder.grading.graded import Graded
from autograder.grading.sandbox.budget import Limits
from autograder.grading.sandbox.levels import Level
from autograder.grading.submission import HandedIn

TRIES = 2
DEATHS_IN_A_ROW = 4  # deaths in a row without an outcome: the cause is no submission
AHEAD = 2  # jobs that a process holds, so that it need not wait for the gradebook
SECONDS_TO_START = 240.0
# gradcheck imports the first at its first call, and a second derivative of abs the other
_IMPORTS = ("torch.fx.experimental.symbolic_shapes", "torch._dynamo")


@dataclass(frozen=True)
class Job:
    """One student's notebooks, by name."""

    student: str
    handed_in: Mapping[str, HandedIn]


@dataclass(frozen=True)
class Outcome:
    """What became of a job: a grade for each notebook, or the fault of ours that prevented one."""

    student: str
    graded: Mapping[str, Graded] = field(default_factory=dict)
    fault: str = ""


class Pool:
    """Grades jobs in at most `jobs` processes, each with a sandbox of its own.

    The first process starts at once, the others when there is work for them.
    """

    def __init__(self, level: Level, jobs: int, limits: Limits | None = None) -> None:
        self.level = level
        self._limits = limits or Limits()
        self._cores = _cores(jobs)
        self._workers: list[_Worker] = []

    def __enter__(self) -> Pool:
        self._workers = [self._worker(0)]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()

    def _worker(self, number: int) -> _Worker:
        return _Worker(self._cores[number], self.level, self._limits)

    def grade(self, assignments: Mapping[str, Assignment], jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Yield an outcome for each job, in the order in which they are done."""
        waiting = _Waiting(jobs)
        deaths = 0
        # every start of each notebook at its limit, twice, and a minute for ourselves
        seconds = 2 * 3 * self._limits.seconds * len(assignments) + 60
        self._workers += [self._worker(number) for number in range(1, waiting.count(len(self._cores)))]
        for worker in self._workers:
            worker.begin(assignments)
        while True:
            for worker in self._workers:
                while len(worker.has) < AHEAD and (given := waiting.take()):
                    worker.give(*given)
            if not any(worker.has for worker in self._workers):
                return
            wait([worker.ours for worker in self._workers], timeout=1.0)
            for number, worker in enumerate(self._workers):
                outcome, dead = worker.collect(seconds)
                if outcome is not None:
                    deaths = 0
                    yield outcome
                if dead:
                    worker.stop()
                    yield from _again(worker, dead, waiting)
                    deaths += 1
                    if deaths == DEATHS_IN_A_ROW:
                        yield from self._give_up(waiting, dead)
                        return
                    self._workers[number] = self._worker(number)
                    self._workers[number].begin(assignments)

    def _give_up(self, waiting: _Waiting, reason: str) -> Iterator[Outcome]:
        told = f"{DEATHS_IN_A_ROW} processes ended one after the other, so no more are started. {reason}"
        for worker in self._workers:
            yield from (Outcome(job.student, fault=told) for job, _ in worker.has)
        while given := waiting.take():
            yield Outcome(given[0].student, fault=told)


class _Waiting:
    """The jobs that no process holds yet, each with the number of its try; read as they are needed."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = iter(jobs)
        self._read: deque[tuple[Job, int]] = deque()

    def count(self, at_most: int) -> int:
        """Return how many jobs there are, or `at_most`."""
        self._read.extend((job, 1) for job in islice(self._jobs, max(0, at_most - len(self._read))))
        return min(len(self._read), at_most)

    def take(self) -> tuple[Job, int] | None:
        """Return the next job, None after the last."""
        return self._read.popleft() if self.count(1) else None

    def put_back(self, job: Job, tries: int) -> None:
        """Have a job tried again, after those that have been read."""
        self._read.append((job, tries))


def _cores(jobs: int) -> list[int | None]:
    """Return for each worker the core that it keeps to, None where it may go where it likes.

    Verdict and submission take turns, and wake each other sooner on one core.
    """
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return [*cores[:jobs]] if jobs <= len(cores) else [None] * jobs


def _again(worker: _Worker, reason: str, waiting: _Waiting) -> Iterator[Outcome]:
    """Put back the jobs of a dead worker; the first may have killed it, and is tried at most twice."""
    for place, (job, tries) in enumerate(worker.has):
        if place == 0 and tries >= TRIES:
            yield Outcome(job.student, fault=reason)
        else:
            waiting.put_back(job, tries + (place == 0))
    worker.has.clear()


def _context() -> ForkServerContext | SpawnContext:
    """Return how processes are started: on Linux from one that holds little.

    It does not import torch for all of them: each worker does so while its sandbox does.
    """
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["autograder.grading.sandbox.sandbox"])
    return context


class _Worker:
    def __init__(self, core: int | None, level: Level, limits: Limits) -> None:
        context = _context()
        self.ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, core, level, limits), daemon=True)
        self._process.start()
        theirs.close()
        self.has: deque[tuple[Job, int]] = deque()
        self._since = time.monotonic() + SECONDS_TO_START

    def begin(self, assignments: Mapping[str, Assignment]) -> None:
        with suppress(OSError):  # it has died, which `collect` will report
            self.ours.send(dict(assignments))

    def give(self, job: Job, tries: int) -> None:
        self.has.append((job, tries))
        with suppress(OSError):  # it has died, which `collect` will report
            self.ours.send(job)

    def collect(self, seconds: float) -> tuple[Outcome | None, str]:
        """Return an outcome if there is one, and the reason if the worker has died or hangs."""
        try:
            if self.ours.poll():
                outcome = self.ours.recv()  # from our own process: no student's bytes are unpickled here
                self.has.popleft()
                self._since = time.monotonic()
                return outcome, ""
        except (EOFError, OSError):
            self._process.join(5)
            return None, f"The process that graded it ended (exit status {self._process.exitcode})."
        if self.has and time.monotonic() - self._since > seconds:
            return None, f"The process that graded it gave no answer for {seconds:.0f} seconds."
        return None, ""

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.ours.close()


def _serve(connection: Connection, core: int | None, level: Level, limits: Limits) -> None:
    """Receive the assignments, then grade the jobs that follow, until the connection closes."""
    import signal

    from autograder.exercises import EXERCISES
    from autograder.grading.sandbox.namespaces import die_with_parent
    from autograder.grading.sandbox.sandbox import Sandbox

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles it
    die_with_parent()
    # the sandbox takes longest to start: it gets all exercises, before the assignments are known
    sandbox = Sandbox([*EXERCISES.values()], level, limits, core=core)
    with suppress(EOFError, OSError), sandbox:
        for name in _IMPORTS:
            importlib.import_module(name)
        import torch

        from autograder.grading.grade import grade_all

        torch.set_num_threads(1)
        assignments = connection.recv()
        if core is not None:
            os.sched_setaffinity(0, {core})
        while True:
            job = connection.recv()
            try:
                outcome = Outcome(job.student, grade_all(assignments, job.handed_in, sandbox))
            except Exception as error:
                outcome = Outcome(job.student, fault=f"{type(error).__name__}: {error}")
            connection.send(outcome)
