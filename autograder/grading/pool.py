"""A pool of processes that grade; one that dies or hangs costs one submission its second try, and no run."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from autograder.grading.assignment import Assignment
from autograder.grading.graded import Graded
from autograder.grading.levels import Level
from autograder.grading.limits import Limits
from autograder.grading.submitted import HandedIn

TRIES = 2
DEATHS_IN_A_ROW = 4  # of the processes, without an outcome in between: then it is no submission's doing
AHEAD = 2  # jobs that a process has, so that it need not wait for the gradebook
SECONDS_TO_START = 240.0


@dataclass(frozen=True)
class Job:
    """One student's notebooks, by name."""

    student: str
    handed_in: Mapping[str, HandedIn]


@dataclass(frozen=True)
class Outcome:
    """What became of a job: a grade for each notebook, or the reason of ours why there is none."""

    student: str
    graded: Mapping[str, Graded] = field(default_factory=dict)
    fault: str = ""


class Pool:
    """Grades jobs in `jobs` processes, each with a sandbox of its own."""

    def __init__(
        self, assignments: Mapping[str, Assignment], level: Level, jobs: int, limits: Limits | None = None
    ) -> None:
        self._arguments = (dict(assignments), level, limits or Limits())
        # a verdict with every start of each notebook, and as much again for ourselves
        self._seconds = 2 * 3 * self._arguments[2].seconds * len(assignments) + 60
        self._jobs = jobs
        self._workers: list[_Worker] = []

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()

    def grade(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Yield an outcome for each job, in the order in which they are done."""
        waiting = deque((job, 1) for job in jobs)
        deaths = 0
        cores = _cores(self._jobs)
        self._workers = [_Worker(self._arguments, cores[n]) for n in range(min(self._jobs, len(waiting)))]
        while waiting or any(worker.has for worker in self._workers):
            for worker in self._workers:
                while waiting and len(worker.has) < AHEAD:
                    worker.give(*waiting.popleft())
            for number, worker in enumerate(self._workers):
                outcome, dead = worker.collect(self._seconds)
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
                    self._workers[number] = _Worker(self._arguments, cores[number])
            wait([worker.ours for worker in self._workers], timeout=1.0)

    def _give_up(self, waiting: deque[tuple[Job, int]], reason: str) -> Iterator[Outcome]:
        left = [*(job for worker in self._workers for job, _ in worker.has), *(job for job, _ in waiting)]
        told = f"{DEATHS_IN_A_ROW} processes ended one after the other, so no more are started. {reason}"
        yield from (Outcome(job.student, fault=told) for job in left)


def _cores(jobs: int) -> list[int | None]:
    """Return for each worker the core that it keeps to, None where there are fewer cores than workers.

    Verdict and submission take turns: on one core the other's turn comes sooner than on two.
    """
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return [*cores[:jobs]] if len(cores) >= jobs else [None] * jobs


def _again(worker: _Worker, reason: str, waiting: deque[tuple[Job, int]]) -> Iterator[Outcome]:
    """Put back what a dead worker had; the first of it is under suspicion, and not tried for ever."""
    for place, (job, tries) in enumerate(worker.has):
        if place == 0 and tries >= TRIES:
            yield Outcome(job.student, fault=reason)
        else:
            waiting.append((job, tries + (place == 0)))
    worker.has.clear()


class _Worker:
    def __init__(self, arguments: tuple[Any, ...], core: int | None) -> None:
        context = multiprocessing.get_context("spawn")
        self.ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, core, *arguments), daemon=True)
        self._process.start()
        theirs.close()
        self.has: deque[tuple[Job, int]] = deque()
        self._since = time.monotonic() + SECONDS_TO_START

    def give(self, job: Job, tries: int) -> None:
        self.has.append((job, tries))
        with suppress(OSError):  # it has died: `collect` will notice
            self.ours.send(job)

    def collect(self, seconds: float) -> tuple[Outcome | None, str]:
        """Return an outcome if there is one, and why this worker is no good any more if it is not."""
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


def _serve(
    connection: Connection,
    core: int | None,
    assignments: Mapping[str, Assignment],
    level: Level,
    limits: Limits,
) -> None:
    """Grade what comes in until the other side is gone."""
    import signal

    import torch

    from autograder.exercises import find
    from autograder.grading.confine import die_with_parent
    from autograder.grading.grade import grade_one
    from autograder.grading.sandbox import Sandbox

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    die_with_parent()
    if core is not None:
        os.sched_setaffinity(0, {core})
    torch.set_num_threads(1)
    wanted = dict.fromkeys(task.exercise for a in assignments.values() for task in a.tasks)
    with suppress(EOFError, OSError), Sandbox([find(id_) for id_ in wanted], level, limits) as sandbox:
        while True:
            job = connection.recv()
            try:
                graded = {
                    name: grade_one(assignments[name], handed_in, sandbox)
                    for name, handed_in in job.handed_in.items()
                }
                outcome = Outcome(job.student, graded)
            except Exception as error:
                outcome = Outcome(job.student, fault=f"{type(error).__name__}: {error}")
            connection.send(outcome)
