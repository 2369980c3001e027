"""Prints without end."""

import sys

while True:
    sys.stdout.write("x" * 1_000_000)
