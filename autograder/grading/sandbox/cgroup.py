"""Control groups that bound the memory of a submission's processes together, if the grader may make them.

It may if its own group's memory controller (of cgroups, version 2) was delegated to it, as
`systemd-run --user --scope -p Delegate=yes` does. The kernel counts the memory of all processes together:
their own and shared memory, once, temporary files, and buffers of pipes.

A group with groups below it may hold no processes (https://docs.kernel.org/admin-guide/cgroup-v2.html), so
the grader first moves into one of these. It does so only if no other process is in its group.
"""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from pathlib import Path

_OURS = "autograder-itself"  # the group into which the grader moves
_THEIRS = "autograder-submission"  # the beginning of the names of groups for submissions
_numbers = count()


class Group:
    """A control group with `memory` bytes, for one submission at a time; raises OSError."""

    def __init__(self, place: Path, memory: int) -> None:
        self._path = place / f"{_THEIRS}-{os.getpid()}-{next(_numbers)}"
        self._path.mkdir()
        self._write("memory.max", memory)
        self._write("memory.oom.group", 1)  # all of its processes end, none goes on with half its work
        with suppress(FileNotFoundError):  # a kernel without swap
            self._write("memory.swap.max", 0)
        # a process that writes 0 here enters the group: the rights are those of the grader, which opens it
        self.entry = os.open(self._path / "cgroup.procs", os.O_WRONLY)
        self._earlier_kills = 0

    def begin(self) -> None:
        """Begin to count for the next submission."""
        self._earlier_kills = self._kills()

    def exceeded(self) -> bool:
        """Return whether the kernel has ended processes of this submission because of their memory."""
        return self._kills() > self._earlier_kills

    def close(self) -> None:
        """Remove the group, and end the processes in it."""
        os.close(self.entry)
        _remove([self._path])

    def _kills(self) -> int:
        lines = (self._path / "memory.events").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))

    def _write(self, name: str, value: int) -> None:
        (self._path / name).write_text(str(value))


def groups(number: int, memory: int) -> list[Group]:
    """Return `number` groups with `memory` bytes each; none if the grader may not make them."""
    place = _place()
    if place is None:
        return []
    remove_leftovers()
    result: list[Group] = []
    try:
        for _ in range(number):
            result.append(Group(place, memory))
    except OSError:
        for group in result:
            group.close()
        return []
    return result


def remove_leftovers() -> None:
    """Remove the groups whose makers were killed."""
    place = _place()
    if place is not None:
        paths = ((path, path.name.split("-")[2]) for path in place.glob(f"{_THEIRS}-*"))
        _remove(path for path, maker in paths if not os.path.exists(f"/proc/{maker}"))


def _place() -> Path | None:
    """Return the group below which the grader may make groups, None if there is none."""
    try:
        own = _own_group()
        if own is None:
            return None
        if own.name == _OURS:
            return own.parent
        if "memory" not in (own / "cgroup.controllers").read_text().split():
            return None
        _move_into(own / _OURS, own)
    except OSError:
        return None
    return own


def _own_group() -> Path | None:
    """Return the folder of the grader's own group, if cgroups version 2 is mounted in its usual place."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    paths = [line.removeprefix("0::/") for line in lines if line.startswith("0::/")]
    own = Path("/sys/fs/cgroup", *paths)
    return own if paths and (own / "cgroup.controllers").exists() else None


def _move_into(inner: Path, own: Path) -> None:
    """Move the grader's processes into an inner group, and delegate memory to its siblings; raises OSError.

    If another process is in the grader's group, nothing is moved.
    """
    if not os.access(own / "cgroup.subtree_control", os.W_OK) or not _only_ours(own):
        raise PermissionError
    inner.mkdir(exist_ok=True)
    try:
        while pids := _members(own):
            for pid in pids:
                with suppress(ProcessLookupError):  # it has ended meanwhile
                    (inner / "cgroup.procs").write_text(pid)
        (own / "cgroup.subtree_control").write_text("+memory")
    except OSError:
        for pid in _members(inner):
            with suppress(OSError):
                (own / "cgroup.procs").write_text(pid)
        inner.rmdir()
        raise


def _only_ours(group: Path) -> bool:
    """Return whether all processes in a group are this one, or were started by it or by one of these."""
    for pid in _members(group):
        while pid != str(os.getpid()):
            if pid in ("0", "1"):
                return False
            try:
                stat = Path(f"/proc/{pid}/stat").read_text()
            except OSError:
                break  # it has ended meanwhile
            pid = stat.rpartition(")")[2].split()[1]
    return True


def _members(group: Path) -> list[str]:
    return (group / "cgroup.procs").read_text().split()


def _remove(paths: Iterable[Path]) -> None:
    """Remove groups as soon as their processes have ended, which takes a moment."""
    end = time.monotonic() + 1
    for path in paths:
        with suppress(OSError):
            (path / "cgroup.kill").write_text("1")
        while path.exists():
            try:
                path.rmdir()
            except OSError:
                if time.monotonic() > end:
                    break
                time.sleep(0.01)
