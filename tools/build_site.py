"""Builds the rendered course into site/_build/html: `make site`. Warnings are errors.

`make site SOLUTIONS=0` leaves out the solutions of the exercises. The assignments are those of the lessons;
`make site ALSO="midterm 04-first-function-2027"` adds others.
"""

from __future__ import annotations

import os
import shutil
import sys

from jupyter_cache.cache.db import create_db
from jupyter_cache.cache.main import JupyterCacheBase
from reader_site import BUILD, SITE, fingerprint, images, scripts, unused
from reader_site.stage import SOURCE, stage
from reader_site.warm_kernels import warm_kernels
from sphinx.cmd.build import main as sphinx

HTML = BUILD / "html"


def main() -> int:
    """Stage the sources and run Sphinx; return its exit status."""
    stage(os.environ.get("SOLUTIONS", "1") != "0", os.environ.get("ALSO", "").split())
    forget_former_runs()
    fingerprint.executed().mkdir(parents=True, exist_ok=True)
    create_db(fingerprint.executed())  # two workers would both make it, and one of them fail
    # a worker deletes what looks too old: also what another has recorded and not yet written
    JupyterCacheBase.truncate_caches = lambda _: None
    workers = str(min(4, os.cpu_count() or 1))
    # all pages are written each time, though not read: the folder is emptied before
    options = ["--quiet", "--fail-on-warning", "--keep-going", "--nitpicky", "--write-all", "--jobs", workers]
    # whoever publishes the folder must not publish a page of a former build, such as a variant's
    shutil.rmtree(HTML, ignore_errors=True)
    with warm_kernels():
        status = sphinx([*options, "-c", str(SITE), "-d", str(BUILD / "doctrees"), str(SOURCE), str(HTML)])
    if status == 0:
        images.wait(HTML)
        unused.take_out(HTML)
        scripts.pack_common(HTML)
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
