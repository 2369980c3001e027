"""Stops its own process with SIGSTOP, and never goes on."""

import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
