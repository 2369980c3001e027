# expected: wrong
import sys


def numerical_jacobian(fn, inputs, eps):
    sys.exit()
