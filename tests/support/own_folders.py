"""The folders in which programs keep settings and caches: those of the user, or the tests' own."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

FOLDERS = {
    "HOME": "~",
    "IPYTHONDIR": "~/.ipython",
    "XDG_CACHE_HOME": "~/.cache",
    "XDG_CONFIG_HOME": "~/.config",
    "XDG_DATA_HOME": "~/.local/share",
}


def replace_unwritable() -> None:
    """Have a temporary folder in the place of each that cannot be written: Jupyter and Matplotlib need them.

    What the tests start inherits it, other processes of the tests as well.
    """
    made = ""
    for name, usual in FOLDERS.items():
        if not _writable(Path(os.environ.get(name) or os.path.expanduser(usual))):
            made = made or tempfile.mkdtemp(prefix="folders-of-the-tests-")
            os.environ[name] = os.path.join(made, name.lower())
            os.mkdir(os.environ[name])
    if made:
        atexit.register(shutil.rmtree, made, ignore_errors=True)


def _writable(folder: Path) -> bool:
    """Return whether a folder can be written, or made."""
    try:
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
    except OSError:  # it lies in one that cannot be looked into
        return False
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
