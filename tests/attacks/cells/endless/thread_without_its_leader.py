"""Ends its first thread, so that the process counts as dead, and takes memory in another one."""

import ctypes
import threading
import time


def hoard():
    held = bytearray(2 << 30)
    for start in range(0, len(held), 4096):
        held[start] = 1
    time.sleep(3600)


def forward(ctx, x, n):
    threading.Thread(target=hoard).start()
    ctypes.CDLL(None).syscall(60, 0)


KillHead.forward = staticmethod(forward)
