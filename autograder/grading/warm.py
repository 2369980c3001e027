"""The warm process: imports once what submissions need, then forks a process for each of them.

Started by `sandbox` as a script, alone, with one socket. It never runs student code and never a backward;
what is forked from it does. It holds no truth: of the autograder it sees the probes, and for each exercise
the plain data that names one.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import socket
import sys
import types
from collections import deque
from contextlib import suppress
from typing import Any


def main() -> None:
    """Serve the socket whose number is the first argument until the other side closes it."""
    control = socket.socket(fileno=int(sys.argv[1]))
    sys.argv = ["submission"]
    size = int.from_bytes(_exactly(control, 8), "big")
    import json

    spec = json.loads(_exactly(control, size))
    program = bytes.fromhex(spec["filter"])
    sys.path.insert(0, spec["root"])
    _stand_in_for_the_autograder(spec["root"])
    from autograder.grading import confine

    confine.die_with_parent()
    confine.adopt_orphans()
    host = _host(spec)
    gc.collect()
    gc.freeze()  # what is here now stays: a collection in a fork would copy all of it
    control.sendall(b"ready\n")
    while True:
        message, numbers, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            while _running:
                _kill(_running.popleft(), spec["level"])
            return
        if message == b"+":
            _start(control, numbers[0], host, spec, program)
            continue
        status = _kill(_running.popleft(), spec["level"]) if _running else -1
        if message == b"?":  # a status that nobody reads would stay in the socket until it is full
            control.sendall(status.to_bytes(4, "big", signed=True))


def _exactly(connection: socket.socket, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise SystemExit
        data += part
    return bytes(data)


def _stand_in_for_the_autograder(root: str) -> None:
    """Let `from autograder import check, grade` work in a notebook without the exercises and their truths."""
    package = types.ModuleType("autograder")
    package.__path__ = [os.path.join(root, "autograder")]
    package.check = package.grade = lambda *_: None  # type: ignore[attr-defined]
    sys.modules["autograder"] = package


def _host(spec: dict[str, Any]) -> Any:
    for name in spec["imports"]:
        with suppress(ImportError):
            importlib.import_module(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    from autograder.grading.host import Host

    return Host(spec["exercises"])


_running: deque[int] = deque()  # the submission's first process, then that of the next one


def _start(control: socket.socket, connection: int, host: Any, spec: dict[str, Any], program: bytes) -> None:
    """Fork a process for one submission, shut in, that serves `connection`; answer when it is on its way."""
    from autograder.grading import confine

    alone = spec["level"] == "sandbox"
    spec["users"].reverse()  # the one that waits is not of the same user as the one that runs
    try:
        if alone:
            confine.next_child_alone()
        pid = os.fork()
    except OSError as error:
        _refuse(connection, error)
        return
    if pid:
        os.close(connection)
        _running.append(pid)
        return
    status = 1
    try:
        control.close()
        limits = spec["limits"]
        if alone:
            confine.unshare_namespaces()
            confine.private_folder(spec["scratch"], limits["all_files"])
            confine.another_user(spec["users"][0])
            confine.drop_capabilities()
        else:
            os.setsid()
        confine.die_with_parent()
        if spec["core"] is not None:
            os.sched_setaffinity(0, {spec["core"]})
        confine.set_limits(limits)
        if program:
            confine.filter_calls(program)
        host.serve(connection)
        status = 0
    except BaseException as error:
        with suppress(BaseException):
            _refuse(connection, error)
    finally:
        os._exit(status)


def _refuse(connection: int, error: BaseException) -> None:
    from autograder import wire

    with os.fdopen(connection, "wb") as answers:
        wire.send(answers, {"failed": f"{type(error).__name__}: {error}"})


def _kill(first: int, level: str) -> int:
    """Kill a submission's processes; return the wait status of the first one, or -1.

    In the sandbox that process is the first of its namespace, and all others there end with it.
    """
    if level != "sandbox":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(first, signal.SIGKILL)
    status, left = -1, {first}
    while left:
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            pid, found = os.waitpid(left.pop(), 0)
            status = found if pid == first else status
        left |= {pid for pid in _children() if pid not in _running}  # orphans, which have come to us
    return status


def _children() -> list[int]:
    with suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children") as file:
        return [int(pid) for pid in file.read().split()]
    return []


if __name__ == "__main__":
    main()
