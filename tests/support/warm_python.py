"""Runs `python -m MODULE …` in a process that is forked off one which has nbgrader imported already.

A new Python would import nbgrader and its libraries each time, which takes longer than most of what the tests
have it do. Whether a command works in a Python of its own is for the tests of the journeys.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRELOADED = ["nbgrader.apps.nbgraderapp", "nbgrader.apps.dbapp", "autograder.cli", "autograder.grading.run"]

_warm = multiprocessing.get_context("forkserver")
_warm.set_forkserver_preload(PRELOADED)


def run_module(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a module with its arguments in a folder, and return its status and what it said."""
    with tempfile.TemporaryDirectory(prefix="said-") as place:
        said = [Path(place) / stream for stream in ("stdout", "stderr")]
        environment = dict(os.environ)
        process = _warm.Process(target=_become, args=([*arguments], folder, environment, said))
        process.start()
        process.join()
        stdout, stderr = (path.read_text(encoding="utf-8", errors="replace") for path in said)
    return subprocess.CompletedProcess([*arguments], process.exitcode or 0, stdout, stderr)


def _become(arguments: list[str], folder: Path, environment: dict[str, str], said: list[Path]) -> None:
    """Be the process of the module: its folder, environment, streams and arguments."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    for number, path in enumerate(said, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    of_the_tests = (str(ROOT / "tests"), str(ROOT / "tools"))
    sys.path[:] = [str(folder), *(place for place in sys.path if not place.startswith(of_the_tests))]
    sys.argv = [*arguments]
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
