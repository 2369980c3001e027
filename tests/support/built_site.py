"""The rendered course, built once for a whole run of the tests, and served on this machine."""

from __future__ import annotations

import functools
import http.server
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from once import once

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "site" / "_build" / "html"


def build(shared: Path) -> Path:
    """Build the site unless another process of this run has done so; fail with what Sphinx said."""

    def make(folder: Path) -> None:
        command = [sys.executable, str(ROOT / "tools" / "build_site.py")]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        (folder / "log").write_text(f"{done.returncode}\n{done.stdout}\n{done.stderr}")

    log = once(shared / "site", make) / "log"
    status, _, said = log.read_text().partition("\n")
    assert status == "0", said
    return HTML


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port of this machine; yields the address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
