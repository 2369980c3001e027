"""Fills shared memory, message queues and memory-backed files."""

import ctypes
import os

libc = ctypes.CDLL(None)
for number in range(200):
    libc.shmget(number + 1, 50_000_000, 0o1666)
    libc.msgget(number + 1, 0o1666)
    libc.semget(number + 1, 10, 0o1666)
try:
    file = os.memfd_create("wyob-attack")
    for _ in range(3000):
        os.write(file, b"x" * 1_000_000)
except OSError:
    pass
