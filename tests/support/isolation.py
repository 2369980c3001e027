"""The isolation that this machine can give a submission, as its kernel says: which tests can be tried here.

The kernel is asked and not the sandbox, so that a sandbox which does not start where it could is an error
and no reason to skip its tests.
"""

from __future__ import annotations

import ctypes.util
import functools
import platform
import subprocess
import sys

import pytest
import required

from autograder.grading.sandbox.bwrap import bubblewrap
from autograder.grading.sandbox.levels import Level

# What a sandbox has to be allowed: namespaces, with the rights in them that AppArmor may take away; a mount;
# for root to become another user; and a user namespace in the one that it is in.
ASK_KERNEL = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
USER, OTHERS = 0x10000000, 0x00020000 | 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000
REC, PRIVATE = 1 << 14, 1 << 18

def call(said, name, *arguments):
    if getattr(libc, name)(*arguments) != 0:
        raise SystemExit(f"{said}: {os.strerror(ctypes.get_errno())}")

user, group = os.getuid(), os.getgid()
if user != 0:
    call("it gives no user namespace", "unshare", USER)
    try:
        for name, line in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(line)
    except OSError as error:
        raise SystemExit(f"it lets no user be named in a user namespace: {error.strerror}")
call("it gives no mount, process and network namespaces", "unshare", OTHERS)
call("it lets nothing be mounted in a namespace", "mount", b"none", b"/", None, REC | PRIVATE, None)
call("it lets nothing be mounted in a namespace", "mount", b"tmpfs", b"/tmp", b"tmpfs", 0, None)
if user == 0:
    try:
        os.setresuid(*[1_000_000_000] * 3)
    except OSError as error:
        raise SystemExit(f"it lets root become no other user: {error.strerror}")
call("it gives no user namespace", "unshare", USER)
"""


@functools.cache
def why_no_filter() -> str:
    """Return why no system call can be filtered here, or nothing."""
    if sys.platform != "linux":
        return "system calls are filtered on Linux only"
    return "" if ctypes.util.find_library("seccomp") else "libseccomp is not installed"


@functools.cache
def why_no_sandbox() -> str:
    """Return why no sandbox can start here, or nothing."""
    if sys.platform != "linux":
        return "namespaces are Linux's"
    if platform.machine() != "x86_64" and bubblewrap() is None:  # for x86_64 it is among the requirements
        return "bubblewrap is not installed"
    asked = subprocess.run([sys.executable, "-I", "-S", "-c", ASK_KERNEL], capture_output=True, text=True)
    refused = asked.stderr.strip().splitlines()[-1:] if asked.returncode else []
    return f"the kernel refuses, {refused[0]}" if refused else why_no_filter()


WHY_NO_SANDBOX = f"This machine can start no sandbox ({why_no_sandbox()})."
SANDBOX = not why_no_sandbox()
# The strongest level of this machine, at which those tests run that make sense at every level,
LEVEL = Level.SANDBOX if SANDBOX else Level.PROCESS if why_no_filter() else Level.FILTER
# and the strongest at which a submission may start processes.
LEVEL_WITH_PROCESSES = Level.SANDBOX if SANDBOX else Level.PROCESS

# What `autograder grade` and nbgrader's configuration have to be told where isolation is weak. Elsewhere this
# would hide a sandbox that does not start.
ALLOW = ["--allow-weak-isolation"] if LEVEL.weak else []
ALLOW_IN_CONFIG = "\nc.Grade.allow_weak_isolation = True\n" if LEVEL.weak else ""

needs_sandbox = pytest.mark.skipif(
    not SANDBOX and not required.in_this_run("sandbox"),
    reason=f"{WHY_NO_SANDBOX} Weaker isolation was tried instead.",
)
needs_filter = pytest.mark.skipif(
    bool(why_no_filter()), reason=f"This machine can filter no system calls ({why_no_filter()})."
)
