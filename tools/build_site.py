"""Builds the rendered course into site/_build/html: `make site`. Warnings are errors."""

from __future__ import annotations

import os
import shutil
import sys

from jupyter_cache.cache.db import create_db
from reader_site import BUILD, SITE, fingerprint
from reader_site.stage import SOURCE, stage
from sphinx.cmd.build import main as sphinx

HTML = BUILD / "html"


def main() -> int:
    """Stage the sources and run Sphinx; return its exit status."""
    stage()
    forget_former_runs()
    fingerprint.executed().mkdir(parents=True, exist_ok=True)
    create_db(fingerprint.executed())  # two workers would both make it, and one of them fail
    workers = str(min(4, os.cpu_count() or 1))
    # all pages are written each time, though not read: Sphinx loses a former search index's messages
    options = ["--quiet", "--fail-on-warning", "--keep-going", "--nitpicky", "--write-all", "--jobs", workers]
    status = sphinx([*options, "-c", str(SITE), "-d", str(BUILD / "doctrees"), str(SOURCE), str(HTML)])
    if status == 0:
        print(f"built: open {(HTML / 'index.html').relative_to(SITE.parent)}")
    return status


def forget_former_runs() -> None:
    """Remove outputs of notebooks that other code than today's has made."""
    current = fingerprint.executed()
    for folder in current.parent.glob("*"):
        if folder != current:
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
