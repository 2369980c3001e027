"""Closes and replaces the standard streams, and the file numbers below them."""

import os
import sys


class Broken:
    def __getattr__(self, name):
        raise BrokenPipeError


for number in (0, 1, 2):
    os.close(number)
sys.stdout = sys.stderr = sys.stdin = Broken()
sys.__stdout__ = sys.__stderr__ = None
