"""Finds where a student's Function leaves its gradient to PyTorch's own autograd.

Three ways, since each misses what another sees: `names_in_code` reads the code of forward, backward and
their helpers, `profiling` watches the calls that they make while they run, and `engine_runs` counts the runs
of PyTorch's engine, which no code can hide. When a notebook is graded, two more come in:
`grading.sandbox.tamper_check` sees whether the autograder itself was changed in the work's process, and
`grading.static_scan` what in the code a person should look at.
"""
