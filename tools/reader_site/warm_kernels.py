"""Kernels that are forked from one process, which has imported what notebooks import.

Jupyter starts a kernel by the command of its kernelspec. Here that command, which is this file, asks the warm
process for a fork and stands for it until it ends.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

# gradcheck imports the last one at its first call; matplotlib would miss the matplotlibrc beside a notebook
IMPORTED = ("ipykernel.kernelapp", "ipywidgets", "torch", "torch.fx.experimental.symbolic_shapes")
PASSED_ON = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def warm_kernels() -> Iterator[None]:
    """Have the kernels that this process and its children start be forks; elsewhere than on Linux do nothing.

    On macOS a process that has loaded such libraries cannot be forked.
    """
    if sys.platform != "linux":
        yield
        return
    with tempfile.TemporaryDirectory() as folder:
        address = f"{folder}/socket"
        spec = Path(folder) / "kernels" / "python3" / "kernel.json"
        spec.parent.mkdir(parents=True)
        command = [sys.executable, "-IS", __file__, "ask", address, "-f", "{connection_file}"]
        spec.write_text(json.dumps({"argv": command, "display_name": "Python 3", "language": "python"}))
        warm = subprocess.Popen([sys.executable, __file__, "serve", address], start_new_session=True)
        places = [folder, *filter(None, [os.environ.get("JUPYTER_PATH")])]
        try:
            with patch.dict(os.environ, JUPYTER_PATH=os.pathsep.join(places)):
                yield
        finally:
            os.killpg(warm.pid, signal.SIGKILL)
            warm.wait()


def ask(address: str, *arguments: str) -> None:
    """Have a kernel forked, pass signals on to it, and return when it has ended."""
    wanted = {"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}
    with socket.socket(socket.AF_UNIX) as warm:
        while warm.connect_ex(address) != 0:  # it is just being started
            time.sleep(0.05)
        warm.sendall(json.dumps(wanted).encode() + b"\n")
        kernel = int(warm.recv(32))
        for number in PASSED_ON:
            signal.signal(number, lambda number, _: os.kill(kernel, number))
        warm.recv(1)  # which is the kernel's, and closes with it


def serve(address: str) -> None:
    """Import, then fork a kernel for each that asks, until killed."""
    import gc
    import importlib

    sys.path.pop(0)  # the folder of this file: the kernel puts that of the notebook in its place
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        for name in IMPORTED:
            importlib.import_module(name)
        gc.freeze()  # a collection in a fork would copy the memory of all these objects
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a kernel
        while True:
            asking, _ = listener.accept()
            with asking:
                wanted = json.loads(asking.makefile().readline())
                kernel = os.fork()
                if not kernel:
                    listener.close()
                    _become(**wanted)
                asking.sendall(str(kernel).encode())


def _become(arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    """Be the kernel, with the command's folder and environment; never return."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        from ipykernel.kernelapp import IPKernelApp

        sys.argv = ["ipykernel_launcher", *arguments]
        ends_with_parent = f"--IPKernelApp.parent_handle={os.getppid()}"
        IPKernelApp.launch_instance([*arguments, ends_with_parent, "--log-level=ERROR"])
    finally:
        os._exit(0)


if __name__ == "__main__":
    {"ask": ask, "serve": serve}[sys.argv[1]](*sys.argv[2:])
