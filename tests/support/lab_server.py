"""A JupyterLab for tests, apart from the settings and kernels of the machine's own."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STUDENT_VIEW = "@write-your-own-backward/student-view"


def settings(folder: Path) -> dict[str, str]:
    """Return an environment in which Jupyter keeps all that it stores in a folder."""
    kinds = ("CONFIG", "DATA", "RUNTIME")
    places = {f"JUPYTER_{kind}_DIR": str(folder / ".jupyter" / kind) for kind in kinds}
    return os.environ | places | {"PYTHONPATH": str(ROOT)}


def hide_the_student_view(folder: Path) -> None:
    """Do what the instructor's guide says, for the JupyterLab of this folder alone."""
    command = [sys.executable, "-m", "jupyter", "labextension", "disable", "--level=user", STUDENT_VIEW]
    subprocess.run(command, cwd=folder, env=settings(folder), check=True, capture_output=True)


@dataclass(frozen=True)
class Server:
    """A JupyterLab that runs."""

    port: int
    token: str

    def address(self, path: str = "") -> str:
        """Return where a file opens, named as it stands under the server's folder; or JupyterLab alone."""
        place = f"/tree/{path}" if path else ""
        return f"http://127.0.0.1:{self.port}/lab{place}?token={self.token}"


@contextmanager
def serve(folder: Path) -> Iterator[Server]:
    """Serve a folder in JupyterLab until the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = Server(free.getsockname()[1], secrets.token_hex(8))
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    options = [
        f"--port={server.port}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={server.token}",
        f"--ServerApp.root_dir={folder}",
        "--LabApp.expose_app_in_browser=True",  # as window.jupyterapp, for tests that ask it something
    ]
    log = folder / ".jupyter" / "log"
    log.parent.mkdir(exist_ok=True)
    with log.open("w") as stream:
        process = subprocess.Popen(
            [*command, *options], cwd=folder, env=settings(folder), stdout=stream, stderr=stream
        )
    try:
        _wait_for(f"http://127.0.0.1:{server.port}/api?token={server.token}", log)
        yield server
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:  # it may hang while it shuts its extensions down; kernels end with it
        process.kill()
        process.wait()


def _wait_for(url: str, log: Path) -> None:
    for _ in range(240):
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()}")
