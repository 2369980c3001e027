"""Sets the system's clock, and replaces Python's."""

import ctypes
import time

try:
    time.clock_settime(time.CLOCK_REALTIME, 0.0)
except OSError:
    pass
ctypes.CDLL(None).settimeofday((ctypes.c_long * 2)(0, 0), None)
time.time = time.monotonic = time.perf_counter = lambda: 0.0
