"""Reaches PyTorch's forward mode by the dictionaries of modules.

uses: tangents
like: patterns
"""


def reach(name):
    found = torch
    for part in name.split("."):
        found = found.__dict__[part]
    return found


KillHead.backward = by_tangents(reach)
