"""Processes of this machine, as /proc has them (Linux): `ps` need not be installed."""

from __future__ import annotations

import os
from pathlib import Path


def descendants(of: int | None = None, but: frozenset[int] = frozenset()) -> list[int]:
    """Return the processes that one, or what it has started, has started; this one unless another is given.

    `but` and what these start do not count: a browser that another test has left open starts and ends
    processes when it likes.
    """
    first = os.getpid() if of is None else of
    parents = {}
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split() if entry.name.isdigit() else []
        except OSError:
            continue
        if fields and fields[0] != "Z":
            parents[int(entry.name)] = int(fields[1])
    found = []
    for pid in parents:
        ancestor = parents[pid]
        line = {pid, ancestor}
        while ancestor in parents and ancestor != first:
            ancestor = parents[ancestor]
            line.add(ancestor)
        if ancestor == first and not line & but:
            found.append(pid)
    return found
