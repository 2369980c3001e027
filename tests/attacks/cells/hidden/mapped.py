"""Reaches PyTorch's forward mode by mapping getattr over names.

uses: tangents
like: patterns
"""


def reach(name):
    found = torch
    for part in name.split("."):
        (found,) = map(getattr, [found], [part])
    return found


KillHead.backward = by_tangents(reach)
