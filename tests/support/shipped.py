"""The repository as a clone has it: what git keeps of it, and nothing that was made in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def ship(into: Path, *parts: str) -> Path:
    """Copy the files that a clone would have, or some files and folders of it; new ones are taken along."""
    git = ["git", "-c", f"safe.directory={ROOT}"]
    command = [*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *parts]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    for name in os.fsdecode(listed).split("\0"):
        source, copy = ROOT / name, into / name
        if not source.is_file():  # the end of the list, a link to nowhere, what is about to be removed
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            copy.symlink_to(os.readlink(source))
        else:
            copy.write_bytes(source.read_bytes())
            copy.chmod(source.stat().st_mode)
    return into


def clone(into: Path) -> Path:
    """Make a whole clone; `make lab` has been run there: its .venv is the one that runs the tests."""
    ship(into)
    (into / ".venv").symlink_to(sys.prefix)
    return into


def home_that_trusts_git(home: Path) -> Path:
    """Make a home whose git clones the repository even if it is another user's, as in a container."""
    home.mkdir(exist_ok=True)
    (home / ".gitconfig").write_text("[safe]\n\tdirectory = *\n")
    return home


def in_a_plain_shell(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run commands as somebody types them after logging in: no environment is activated."""
    home = home_that_trusts_git(folder.parent / "home")
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8"}
    return subprocess.run(
        ["sh", "-e", "-c", script], cwd=folder, env=environment, capture_output=True, text=True
    )
