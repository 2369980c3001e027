"""Finds the lines where a student's Function gets its gradient from PyTorch's own autograd.

There are two ways, because each misses some cases: `names_in_code` reads the code of forward, backward and
their helpers; `profiling` watches their calls while they run. Both find an honest mistake, and neither finds
a hidden call. When a notebook is graded, `autograder.guards` refuse such calls, too. `complex_step` finds the
other way to exact numbers without a formula.
"""
