"""Grades the same jobs on many machines: on the workers of a Dask cluster instead of a local pool.

Only this module imports `distributed`, and only when a cluster is used. Anyone who can reach a Dask scheduler
can run code on its workers: keep it in a closed network, or use TLS (`tls://`, configured as Dask documents).
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from autograder.grading.assignment import Assignment
from autograder.grading.fingerprint import of_installation
from autograder.grading.jobs import Job, Outcome
from autograder.grading.sandbox.budget import Limits
from autograder.grading.sandbox.levels import Level, TooWeak
from autograder.grading.sandbox.sandbox import strongest
from autograder.grading.workers import SECONDS_TO_START, Pool
from autograder.refusal import Refusal

if TYPE_CHECKING:
    from distributed import Future

SECONDS_TO_CONNECT = 10
SECONDS_FOR_WORKERS = 600  # a batch system may queue them
OTHER_VERSION = (
    "has a different version of the autograder or of PyTorch than this machine: install the same version."
)
CONNECTION_LOST = "The connection to the cluster was lost."
AHEAD = 2  # jobs in the scheduler for each thread of a worker: memory does not grow with the class


class Cluster:
    """A connection to a Dask scheduler; raises Refusal if there is none at that address."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise Refusal(
                "--cluster needs Dask: pip install 'write-your-own-backward[cluster]', here and there."
            ) from None
        self._address = address
        for name in ("distributed", "distributed.client", "asyncio"):  # their errors become our messages
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._client = Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise Refusal(f"There is no Dask scheduler at {address}: {_first_line(error)}") from None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def allowed_level(self, allow_weak: bool) -> Level:
        """Wait for a worker and return the weakest level among the workers.

        Raises Refusal if there is no worker or one cannot grade, and TooWeak if the level is weak and that
        is not allowed. A worker that comes later and cannot give this level grades nothing.
        """
        try:
            self._client.wait_for_workers(1, timeout=SECONDS_FOR_WORKERS)
            workers: dict[str, tuple[str, str, bytes]] = self._client.run(_facts)
        except Exception as error:  # distributed's own, and whatever a worker raises
            raise Refusal(f"The workers of {self._address} cannot grade: {_first_line(error)}") from None
        ours = of_installation()
        for worker, (_, _, theirs) in workers.items():
            if theirs != ours:
                raise Refusal(f"The worker {worker} {OTHER_VERSION}")
        worker, (name, why, _) = max(workers.items(), key=lambda one: list(Level).index(Level(one[1][0])))
        level = Level(name)
        if level.weak and not allow_weak:
            raise TooWeak(
                f"The worker {worker} cannot isolate submissions. {why} {level.meaning} To grade all the "
                "same, and have it noted with each grade, add --allow-weak-isolation."
            )
        return level

    def pool(self, level: Level, limits: Limits | None = None) -> ClusterPool:
        """Return a pool that grades jobs on the cluster, with the interface of a local Pool."""
        return ClusterPool(self._client, level, limits or Limits())


class ClusterPool:
    """Grades jobs on the workers; the jobs of a worker that died go to another one."""

    started = True  # a first grade of a worker comes after its start

    def __init__(self, client: Any, level: Level, limits: Limits) -> None:
        self._client = client
        self.level = level
        self._limits = limits

    def __enter__(self) -> ClusterPool:
        return self

    def __exit__(self, *_: object) -> None:
        """Close nothing: the connection belongs to the cluster."""

    def limit(self, limits: Limits) -> None:
        """Grade under these limits from now on."""
        self._limits = limits

    def grade(self, assignments: Mapping[str, Assignment], jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Yield one outcome for each job, in the order in which they finish.

        If the connection is lost, each remaining job gets that as its fault; the next run grades it.
        """
        arguments = (dict(assignments), self.level, self._limits, of_installation())
        # the jobs before it, each tried twice, and the start of a process
        seconds = max(SECONDS_FOR_WORKERS, AHEAD * (2 * self._limits.worker_seconds + SECONDS_TO_START))
        waiting = iter(jobs)
        job = next(waiting, None)
        finished: queue.SimpleQueue[Future[Outcome]] = queue.SimpleQueue()
        running: dict[Future[Outcome], str] = {}
        loss = ""
        try:
            while (job is not None or running) and not loss:
                try:
                    while job is not None and len(running) < self._room():
                        future = self._client.submit(grade_job, *arguments, job, pure=False)
                        running[future] = job.student
                        future.add_done_callback(finished.put)
                        job = next(waiting, None)
                    future = finished.get(timeout=seconds)
                    yield _outcome(future, running.pop(future))
                except queue.Empty:
                    loss = f"The cluster gave no answer for {seconds:.0f} seconds."
                except (OSError, RuntimeError):  # a closed connection, a closed client
                    loss = CONNECTION_LOST
            yield from (Outcome(student, fault=loss) for student in running.values())
            while job is not None:
                yield Outcome(job.student, fault=loss)
                job = next(waiting, None)
        finally:
            with suppress(Exception):  # the scheduler may be gone
                self._client.cancel(list(running))

    def _room(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return AHEAD * max(1, sum(threads.values()))


def _outcome(future: Any, student: str) -> Outcome:
    if future.status == "finished":
        outcome: Outcome = future.result()
        return outcome
    if future.status == "error":
        return Outcome(student, fault=_first_line(future.exception()))
    return Outcome(student, fault=CONNECTION_LOST)


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


_one_at_a_time = threading.Lock()  # a machine's worker may have several threads, and one pool
_pools: dict[tuple[Level, Limits], Pool] = {}


def _facts() -> tuple[str, str, bytes]:
    """Return a worker's isolation level, why it is not stronger, and its hash of the checks."""
    with _one_at_a_time:
        level, why = strongest()
        return level.value, why, of_installation()


def grade_job(
    assignments: Mapping[str, Assignment], level: Level, limits: Limits, expected: bytes, job: Job
) -> Outcome:
    """Grade one student's notebooks on a worker; never raises."""
    try:
        if of_installation() != expected:
            return Outcome(job.student, fault=f"A worker {OTHER_VERSION}")
        with _one_at_a_time:
            (outcome,) = _pool(level, limits).grade(assignments, [job])
            return outcome
    except Exception as error:
        return Outcome(job.student, fault=f"{type(error).__name__}: {error}")


def _pool(level: Level, limits: Limits) -> Pool:
    """Return this machine's pool of one process; a pool of another level replaces it."""
    if (level, limits) not in _pools:
        for pool in _pools.values():
            pool.__exit__()
        _pools.clear()
        _pools[level, limits] = Pool(level, 1, limits).__enter__()
    return _pools[level, limits]
