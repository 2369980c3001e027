# expected: wrong
import sys


def reverse_sweep(tape, seed):
    sys.exit(0)
