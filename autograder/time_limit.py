"""Stops student code that would walk for hours, where nothing can be counted."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class TookTooLong(BaseException):
    """The time is over; no `except Exception` holds it back."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TookTooLong in the block, at its next line of Python, once it has used the processor so long."""
    thread = ctypes.c_ulong(threading.get_ident())
    running = threading.Lock()  # held by whoever decides: the watcher raises only while the block runs
    over = threading.Event()
    start = time.process_time()  # what else keeps the machine busy is no fault of the student's

    def watch() -> None:
        while (left := start + seconds - time.process_time()) > 0:
            if over.wait(left):
                return
        with running:
            if not over.is_set():
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(TookTooLong))

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    except TookTooLong:
        raise TookTooLong from None  # what was interrupted has a traceback without line numbers
    finally:
        with running:
            over.set()
