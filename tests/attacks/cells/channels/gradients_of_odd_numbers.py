"""Answers with gradients of other dtypes: flags, complex numbers, half precision, bytes.

uses: sockets forger
like: gradients_of_nothing
"""

import numpy as np


def bend(method, answer):
    kinds = ("bool", "complex64", "float16", "uint8", "int64", "complex128")
    chosen = kinds[len(method) % len(kinds)]
    return changed(answer, lambda a: a.astype(chosen))


converse({"kill_head": KillHead}, bend)
