"""Isolates the calling process permanently: namespaces, another user, limits, a system call filter.

Runs in the fork server and in its forks. Imports nothing of the autograder.
"""

import ctypes
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

# <linux/sched.h>, <sys/mount.h>, <sys/prctl.h>, <linux/capability.h>
NEW_NAMESPACES = 0x00020000 | 0x04000000 | 0x08000000 | 0x40000000  # mount, host name, IPC, network
NEW_PROCESSES, NEW_USER, NEW_CGROUP = 0x20000000, 0x10000000, 0x02000000
CLONE_THREAD = 0x00010000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 16384, 1 << 18
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER = 1, 24, 36
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 38, 47, 4
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
CAPABILITY_VERSION_3 = 0x20080522
SIGKILL = 9

_libc = ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: Any) -> None:
    if getattr(_libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def isolate_next_child() -> None:
    """Give the next fork a process namespace of its own, below this process's and not the last fork's."""
    ourselves = os.pidfd_open(os.getpid())
    try:
        _call("setns", ourselves, NEW_PROCESSES)
    finally:
        os.close(ourselves)
    _call("unshare", NEW_PROCESSES)


def unshare_namespaces() -> None:
    """Leave the mount, network, IPC and host name namespaces."""
    _call("unshare", NEW_NAMESPACES)


def mount_scratch(path: str, size: int) -> None:
    """Mount a small tmpfs over a folder, in this mount namespace alone, and change into it."""
    _call("mount", b"none", b"/", None, MS_REC | MS_PRIVATE, None)
    options = f"size={size},nr_inodes=1000,mode=1777".encode()
    _call("mount", b"tmpfs", path.encode(), b"tmpfs", MS_NOSUID | MS_NODEV, options)
    os.chdir(path)


def drop_user(user: int) -> None:
    """Become `user` if this process is root, then enter a user namespace without rights outside of it."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    _call("unshare", NEW_USER)


def drop_capabilities() -> None:
    """Drop every capability; no_new_privs keeps any from coming back."""
    for capability in range(64):
        _libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)  # beyond the last one it fails
    _libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    _call("capset", header, (ctypes.c_uint32 * 6)())
    _call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def filter_calls(program: bytes) -> None:
    """Install a seccomp filter, for this process and its descendants."""
    _call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    loaded = _Program(len(program) // 8, program)
    _call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(loaded), 0, 0)


def die_with_parent() -> None:
    """Have this process killed when its parent ends (Linux)."""
    if sys.platform == "linux":
        _libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of orphaned descendants, so that none outlives this process (Linux)."""
    if sys.platform == "linux":
        _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def threads_of_the_user() -> int:
    """Return how many threads this user has on the machine; 0 without /proc."""
    user, threads = os.getuid(), 0
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        with suppress(OSError):  # it has ended meanwhile
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                threads += len(os.listdir(f"/proc/{name}/task"))
    return threads


def set_limits(limits: Mapping[str, Any]) -> None:
    """Set the resource limits that the system has."""
    import resource

    seconds = int(limits["seconds"]) + 1
    resources = {
        "RLIMIT_CPU": seconds,
        "RLIMIT_DATA": limits["memory"],
        "RLIMIT_AS": limits["address_space"],
        "RLIMIT_FSIZE": limits["file_size"],
        "RLIMIT_NPROC": limits["processes"],
        "RLIMIT_NOFILE": limits["open_files"],
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
    }
    for name, value in resources.items():
        number = getattr(resource, name, None)
        if number is None:
            continue
        try:
            resource.setrlimit(number, (value, value))
        except (OSError, ValueError):
            if sys.platform == "linux":
                raise
