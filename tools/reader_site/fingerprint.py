"""One number for the content of many files: another one as soon as any of them changes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from reader_site import BUILD, ROOT

# what the output of a notebook depends on besides its own cells
RUN_BY_NOTEBOOKS = ("course", "autograder", "vjpcheck")
LIBRARIES = ("torch", "numpy", "matplotlib", "graphviz-pure")
NOT_CODE = {".ipynb", ".pyc"}


def executed() -> Path:
    """Return where notebooks lie that were executed with what is here now."""
    return BUILD / "executed" / of_what_notebooks_run()


def of_what_notebooks_run() -> str:
    """Return the fingerprint of the packages and libraries that lessons and solutions import."""
    folders = [ROOT / name for name in RUN_BY_NOTEBOOKS]
    files = (path for folder in folders for path in folder.rglob("*") if path.suffix not in NOT_CODE)
    return of(files, [f"{name} {version(name)}" for name in LIBRARIES])


def of(files: Iterable[Path], words: Iterable[str] = ()) -> str:
    """Return the fingerprint of these files' names and bytes, and of these words."""
    digest = hashlib.sha256("\n".join(words).encode())
    for path in sorted(path for path in files if path.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(ROOT)} {content}\n".encode())
    return digest.hexdigest()[:16]
