"""Sends SIGKILL to every process it may signal."""

import os
import signal

try:
    os.kill(-1, signal.SIGKILL)
except OSError:
    pass
