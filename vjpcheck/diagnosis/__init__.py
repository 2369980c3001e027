"""Checks any work that autograd differentiates, on inputs of its caller.

`call` (in Python), `options` (the caller's choices), `inputs` (tensors as plain data), `expression` (the
inputs of the command line), `probe` (runs the work), `reference` (the truth from a reference), `work`,
`variants` and `samples` (what is tried), `refusals` (what cannot be judged), and `judge`.
"""
