# expected: wrong
import sys


def accumulate(tensor, seed):
    sys.exit(0)
