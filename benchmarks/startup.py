"""Start and length: the time to import, and a chain too long for recursion."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

from benchmarks.report import ENGINE, Report, at_least, at_most

IMPORT = """
import time, numpy
start = time.perf_counter()
import course.engine
print(time.perf_counter() - start)
"""
MILLION = """
import sys, time
{leaf}
start = time.perf_counter()
y = x = leaf(1.0)
for _ in range(500_000):
    y = y * 0.999 + 0.001
y.backward()
del y
print(time.perf_counter() - start)
"""
LEAVES = {
    ENGINE: "from course.engine import Tensor\nleaf = lambda v: Tensor(v, requires_grad=True)",
    "torch": "import torch\nleaf = lambda v: torch.tensor(v, dtype=torch.float64, requires_grad=True)",
    "micrograd": "from micrograd.engine import Value as leaf",
}


def rows(report: Report) -> None:
    """Measure the import and the long chain, each run in a process of its own."""
    report.heading("import, beyond NumPy's")
    seconds = [float(run(IMPORT).stdout) for _ in range(9)]
    report.check(ENGINE, statistics.median(seconds) * 1e3, " ms", at_most(15))

    report.heading("chain of 1,000,000 operations, default recursion limit, freeing included")
    found: dict[str, float | str] = {}
    for name in LEAVES:
        done = run(MILLION.format(leaf=LEAVES[name]))
        if done.returncode:
            found[name] = (done.stderr.strip() or f"signal {-done.returncode}").splitlines()[-1][:70]
        else:
            found[name] = float(done.stdout)
    report.times(found, ENGINE, {("torch", ENGINE): at_least(7 / 4)})


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Run a measurement in a process of its own; the first import compiles, as it does for a user."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
