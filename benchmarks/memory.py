"""Memory: bytes a node of a scalar chain, arrays an operation of an array chain, what is left after `del`."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from benchmarks.report import ENGINE, Report, at_most

SCALARS = """
import gc, json, sys, tracemalloc
sys.setrecursionlimit(10_000_000)
{leaf}
N = 50_000

def chain(x, operations):
    for _ in range(operations // 2):
        x = x * 0.999 + 0.001
    x.backward()
    return x

x = leaf(1.0)
chain(x, 100)
gc.collect()
gc.disable()
objects = len(gc.get_objects())
tracemalloc.start()
y = chain(x, N)
peak = tracemalloc.get_traced_memory()[1]
del y
print(json.dumps([peak / N, len(gc.get_objects()) - objects]))
"""
LEAVES = {
    ENGINE: "from course.engine import Tensor\nleaf = lambda v: Tensor(v, requires_grad=True)",
    "micrograd": "from micrograd.engine import Value as leaf",
}
ARRAYS = """
import json, tracemalloc
import numpy as np
from course.engine import Tensor
N, SIZE = 1000, 10_000
x, w, b = (Tensor(np.full(SIZE, v), requires_grad=True) for v in (0.5, 0.9, 0.1))
tracemalloc.start()
for _ in range(N // 2):
    x = x * w + b
x.sum().backward()
print(json.dumps(tracemalloc.get_traced_memory()[1] / (8 * SIZE) / N))
"""


def rows(report: Report) -> None:
    """Measure the memory rows of the table."""
    report.heading("memory of a scalar chain of 50,000 operations, collector off")
    for name, leaf in LEAVES.items():
        peak, left = run(SCALARS.format(leaf=leaf))
        if name == ENGINE:
            report.check("engine, a node at the peak", peak, " bytes", at_most(360))
            report.check("engine, objects left after del", left, "", at_most(0))
        else:
            print(f"  {name}: {peak:.0f} bytes a node at the peak, {left:,} objects left after del")
    report.heading("memory of an array chain of 1,000 operations on 10,000 elements")
    report.check("engine, arrays an operation", run(ARRAYS), "", at_most(0.55))


def run(code: str) -> Any:
    """Run a measurement in a process of its own and return what it prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
