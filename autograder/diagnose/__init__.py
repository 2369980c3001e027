"""The same card as `check` gives, for a Function that no exercise asks for.

`inputs` (tensors as plain data) and `expression` (those of the command line), `variants` (other inputs like
them), `reference` (the truth where there is a reference), `own_function` (what stands for the exercise),
`judge`, and on top `call` (in Python) and `cli`.
"""

from autograder.diagnose.call import diagnose

__all__ = ["diagnose"]
