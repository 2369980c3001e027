"""Runs every row of the table and prints what was reached."""

import gc
import sys

import torch

from benchmarks import arrays, checks, grading, memory, pictures, scalars, second, startup, wrong
from benchmarks.report import Report

sys.setrecursionlimit(1000)  # Python's default, which importing tinygrad raises
torch.set_num_threads(1)  # CPU time is measured: idle threads that wait for work would count
gc.freeze()  # the collector shall pass over each work's own objects, not those of the libraries imported here
report = Report()
for part in (startup, memory, scalars, arrays, second, pictures, checks, wrong, grading):
    part.rows(report)
report.close()
