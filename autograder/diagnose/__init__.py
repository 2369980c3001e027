"""Checks a Function that belongs to no exercise, and returns the same card as `check`.

`inputs` (tensors as plain data), `expression` (inputs of the command line), `variants` (similar inputs),
`reference` (the truth from a reference), `own_function` (replaces the exercise), `judge`, and on top of them
`call` (in Python) and `cli`.
"""

from autograder.diagnose.call import diagnose

__all__ = ["diagnose"]
