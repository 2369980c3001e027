"""Imports once the modules that submissions need, then forks a process for each submission.

`sandbox` starts it as a script with one socket. It never runs student code, and never a backward pass: the
threads of PyTorch's engine do not survive a fork. It has no true gradients: of the autograder it imports the
probes, and each exercise is a Subject.
"""

import gc
import importlib
import os
import signal
import socket
import sys
import types
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

THREADS_MEANWHILE = 256  # threads that the user may start beside a weakly isolated submission


def main() -> None:
    """Serve the socket whose number is the first argument until the other side closes it."""
    control = socket.socket(fileno=int(sys.argv[1]))
    sys.argv = ["submission"]
    size = int.from_bytes(_exactly(control, 8), "big")
    import json

    spec = json.loads(_exactly(control, size))
    program = bytes.fromhex(spec["filter"])
    sys.path.insert(0, spec["root"])
    _stub_the_checks(spec["root"])
    from autograder.grading.sandbox import namespaces

    namespaces.die_with_parent()
    namespaces.adopt_orphans()
    runner = _runner(spec)
    gc.collect()
    gc.freeze()  # a collection in a fork would copy the memory of all these objects
    control.sendall(b"ready\n")
    while True:
        message, numbers, _, _ = socket.recv_fds(control, 1, 2)
        if not message:
            while _running:
                _kill(_running.popleft(), spec["level"])
            return
        if message == b"+":
            _start(control, numbers, runner, spec, program)
            continue
        status = _kill(_running.popleft(), spec["level"]) if _running else -1
        if message == b"?":  # unread statuses would fill the socket
            control.sendall(status.to_bytes(4, "big", signed=True))


def _exactly(connection: socket.socket, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise SystemExit
        data += part
    return bytes(data)


def _stub_the_checks(root: str) -> None:
    """Let a notebook import stubs of `check`, `grade` and `diagnose`: its process has no true gradients."""
    for package, names in {"autograder": ("check", "grade"), "vjpcheck": ("diagnose",)}.items():
        stub = types.ModuleType(package)
        stub.__path__ = [os.path.join(root, package)]
        for name in names:
            setattr(stub, name, lambda *_, **__: None)
        sys.modules[package] = stub


def _runner(spec: dict[str, Any]) -> Any:
    for name in spec["imports"]:
        with suppress(ImportError):
            importlib.import_module(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    from autograder.grading.sandbox.runner import CellRunner

    return CellRunner(spec["subjects"])


_running: deque[int] = deque()  # the first process of this submission, then that of the next


def _start(
    control: socket.socket, numbers: Sequence[int], runner: Any, spec: dict[str, Any], program: bytes
) -> None:
    """Fork an isolated process for one submission.

    `numbers` are the file numbers of its connection and, if there is one, of the entry to its control group.
    """
    from autograder.grading.sandbox import namespaces

    connection, *entry = numbers
    alone = spec["level"] == "sandbox"
    spec["users"].reverse()  # the waiting process and the running one have different users
    try:
        if alone:
            namespaces.isolate_next_child()
        pid = os.fork()
    except OSError as error:
        _refuse(connection, error)
        _close(entry)
        return
    if pid:
        _close(numbers)
        _running.append(pid)
        return
    status = 1
    try:
        control.close()
        for number in entry:
            os.write(number, b"0")
        _close(entry)
        limits = {**spec["limits"]}
        if alone:
            namespaces.unshare_namespaces()
            namespaces.mount_scratch(spec["scratch"], limits["all_files"])
            namespaces.drop_user(spec["users"][0])
            namespaces.drop_capabilities()
        else:
            os.setsid()
            # the kernel counts all that the user runs, and the user goes on working meanwhile
            limits["processes"] += namespaces.threads_of_the_user() + THREADS_MEANWHILE
        namespaces.die_with_parent()
        if spec["core"] is not None:
            os.sched_setaffinity(0, {spec["core"]})
        namespaces.set_limits(limits)
        if program:
            namespaces.filter_calls(program)
        runner.serve(connection)
        status = 0
    except BaseException as error:
        with suppress(BaseException):
            _refuse(connection, error)
    finally:
        os._exit(status)


def _close(numbers: Sequence[int]) -> None:
    for number in numbers:
        os.close(number)


def _refuse(connection: int, error: BaseException) -> None:
    from vjpcheck.ask import wire

    with os.fdopen(connection, "wb") as answers:
        wire.send(answers, {"failed": f"{type(error).__name__}: {error}"})


def _kill(first: int, level: str) -> int:
    """Kill a submission's processes; return the wait status of the first one, or -1.

    In the sandbox that process is the first of its namespace, and all others there end with it.
    """
    if level != "sandbox":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(first, signal.SIGKILL)
    status, pids = -1, {first}
    while pids:
        for pid in pids:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            pid, wait_status = os.waitpid(pids.pop(), 0)
            status = wait_status if pid == first else status
        pids |= {pid for pid in _children() if pid not in _running}  # orphans, adopted by this process
    return status


def _children() -> list[int]:
    with suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children") as file:
        return [int(pid) for pid in file.read().split()]
    return []


if __name__ == "__main__":
    main()
