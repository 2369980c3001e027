"""Programs in Python as pip writes them: their first lines find the interpreter."""

from __future__ import annotations

import re
import sys
from pathlib import Path

# both a shell's and Python's: after #! there may be no space in a path, nor many letters
START = "#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\n"
ANY_START = re.compile(r"\A#!.*\n('''exec' .*\n' '''\n)?")


def python_script(code: str, python: str | Path = sys.executable) -> str:
    """Return a program that an interpreter runs, wherever that lies."""
    return START.format(python=python) + code


def code_of(script: Path) -> str:
    """Return the code of a program that pip has installed."""
    return ANY_START.sub("", script.read_text(encoding="utf-8"))
