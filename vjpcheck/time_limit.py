"""Stops student code that runs too long, in the process of the notebook itself."""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from types import FrameType, TracebackType

WAITING = 12.0  # times the limit, in wall-clock time: a sleep or a lock uses no processor
PATIENCE = 0.25  # seconds until the exception is raised again, if the code has caught it
SLOW_TRIES = 8  # then the exception is raised every millisecond, to hit a line outside all handlers


class TookTooLong(BaseException):
    """The time of one call is over; no `except Exception` catches it."""


class Stopped(BaseException):
    """The time of a whole check is over; the probe catches other exceptions, but not this one."""


class time_limit:  # noqa: N801 - read as a word: with time_limit(5)
    """Raise `over` in the block, at its next line of Python, after it has used its processor time.

    Waiting may take twelve times as long; in the main thread a waiting call of C is interrupted too. If the
    block has imported modules in its time, its time starts again: PyTorch imports parts of itself at their
    first use, which takes seconds and is not the block's work. If the code catches the exception, it is
    raised again and again, until it arrives outside all handlers.
    """

    def __init__(self, seconds: float, over: type[BaseException] = TookTooLong) -> None:
        self._seconds, self._over = seconds, over
        self._running = (
            threading.Lock()
        )  # held while deciding, so that it is raised only while the block runs
        self._ended = threading.Event()
        self._raised = 0

    def __enter__(self) -> None:
        self._thread = threading.get_ident()
        self._in_main = threading.current_thread() is threading.main_thread()
        self._holder = _holder(sys._getframe(1))
        self._clock = _clock_of(self._thread)
        try:
            threading.Thread(target=self._watch, daemon=True).start()
        except BaseException:  # __exit__ will not run
            self._end()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        ended = False
        while not ended:
            try:
                self._end()
                ended = True
            except (self._over, KeyboardInterrupt):  # a late exception, or the signal of `_raise`
                if not self._raised:
                    raise
        self._holder = None
        if kind is not None and self._raised:
            raise self._over from None  # the interrupted code may have raised other errors

    def _end(self) -> None:
        """Stop raising, and catch an exception that is still pending.

        Cancelling it with NULL would make CPython 3.11 look for it at each line for ever.
        """
        with self._running:
            self._ended.set()
            if not self._raised:
                return
            try:
                _set_exception(self._thread, self._over)
                while True:  # the exception arrives in the next iteration
                    pass
            except self._over:
                pass

    def _watch(self) -> None:
        """Wait in a separate thread for the end of the block or of its time; then raise until the block ends.

        The time starts here: on a busy machine the start of a thread takes longer than a short limit.
        """
        self._start()
        while (left := self._left()) > 0:
            if self._ended.wait(min(left, self._seconds)):
                return
        while not self._ended.is_set():
            with self._running:
                if self._ended.is_set() or not self._still_there():
                    return
                self._raise()
            self._ended.wait(PATIENCE if self._raised < SLOW_TRIES else 0.001)

    def _start(self) -> None:
        self._used, self._started, self._modules = self._clock(), time.monotonic(), len(sys.modules)

    def _left(self) -> float:
        left = self._seconds - (self._clock() - self._used)
        waited = time.monotonic() - self._started > WAITING * self._seconds
        if (left <= 0 or waited) and len(sys.modules) > self._modules:
            self._start()
            return self._seconds
        return 0.0 if waited else left

    def _still_there(self) -> bool:
        """Return whether the function with the block still runs: an exception may have ended `__exit__`."""
        frame = sys._current_frames().get(self._thread)
        while frame is not None and frame is not self._holder:
            frame = frame.f_back
        return frame is not None

    def _raise(self) -> None:
        self._raised += 1
        _set_exception(self._thread, self._over)
        # a waiting call of C does not react to the exception, but to a signal
        if self._raised >= 2 and self._in_main and hasattr(signal, "pthread_kill"):
            signal.pthread_kill(self._thread, signal.SIGINT)


def _holder(frame: FrameType | None) -> FrameType | None:
    """Return the frame that stays on the stack during the block; a generator of `with` does not."""
    while frame is not None and (
        frame.f_code.co_flags & inspect.CO_GENERATOR or frame.f_code.co_filename == contextlib.__file__
    ):
        frame = frame.f_back
    return frame


def _clock_of(thread: int) -> Callable[[], float]:
    """Return a clock of the processor time of one thread, on which the load of the machine has no effect."""
    if hasattr(time, "pthread_getcpuclockid"):
        return partial(time.clock_gettime, time.pthread_getcpuclockid(thread))
    return time.process_time


def _set_exception(thread: int, exception: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(exception))
