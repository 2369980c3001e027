"""Checks any Function on inputs for its `apply`.

`inputs` (tensors as plain data), `expression` (inputs of the command line), `variants` (similar inputs),
`reference` (the truth from a reference), `judge`, and on top of them `call` (in Python).
"""
