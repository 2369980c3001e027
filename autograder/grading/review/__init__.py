"""Reads a submission's source, outside the process that runs it, for what course work does not need.

What happens in a process that the student owns can be hidden there: that native autograd differentiated
forward, that a store beside ctx keeps what backward reads, that the autograder was changed. So the code is
held against an allow-list. Read in this order: `vocabulary` (the names that course work needs), `names` (what
the notebook's own names stand for), `reader` (what of a cell goes beyond) and `outside_ctx` (what of it could
keep something beside ctx), `review` (what is left of a cell without that).
"""
