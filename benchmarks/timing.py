"""Times several ways of doing one thing: interleaved in one process, medians, a dead peer's last words."""

from __future__ import annotations

import gc
import signal
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

Work = Callable[[], object]
PATIENCE = 20  # seconds for one run


def medians(
    works: Mapping[str, Work], repeats: int, collector: bool = True, batch: int = 1
) -> dict[str, float | str]:
    """Return each work's median seconds, or how it died: each runs in turn, `repeats` times over.

    Every turn begins after a full collection, so that nobody pays for what another left behind; with
    `collector` False it is switched off meanwhile. A short work runs `batch` times in one turn.
    """
    seconds: dict[str, list[float]] = {name: [] for name in works}
    dead: dict[str, str] = {}
    for repeat in range(-1, repeats):
        for name, work in works.items():
            if name in dead:
                continue
            try:
                elapsed = timed(work, collector, batch)
            except Exception as error:  # a peer may die of anything, and the others go on
                dead[name] = f"{type(error).__name__}: {' '.join(str(error).split())[:70]}"
                continue
            if repeat >= 0:  # the first round warms up
                seconds[name].append(elapsed)
    return {name: dead.get(name) or statistics.median(seconds[name]) for name in works}


def timed(work: Work, collector: bool, batch: int) -> float:
    """Return the CPU seconds of one run, clearing up included: what else the machine does is not counted."""
    gc.collect()
    if not collector:
        gc.disable()
    try:
        with impatience():
            start = time.process_time()
            for _ in range(batch):
                work()
            return (time.process_time() - start) / batch
    finally:
        gc.enable()


@contextmanager
def impatience() -> Iterator[None]:
    """Raise TimeoutError in what takes longer than PATIENCE, on systems that have alarms."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError(f"it took longer than {PATIENCE} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
