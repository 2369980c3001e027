"""Reads a submission's source, outside the process that runs it, for code that course work does not need.

A process that the student owns can hide its acts: that native autograd differentiated forward, that a store
outside ctx keeps values for backward, that the autograder was changed. So the code is compared with an
allow-list. Read in this order: `vocabulary` (the names that course work needs), `names` (the meaning of the
notebook's own names), `reader` (finds code beyond the vocabulary), `outside_ctx` (finds code that could keep
values outside ctx), `review` (removes both from a cell).
"""
