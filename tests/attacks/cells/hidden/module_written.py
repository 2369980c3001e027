"""Writes a module with open, a name that is a parameter elsewhere, and imports it in the place of SciPy's.

uses: tangents
"""


def unused(open):
    return open


TEXT = "def reached(name):\n    import torch\n\n    return eval('torch.' + name)\n\n\nndimage = reached\n"
with open("scipy.py", "w") as file:
    file.write(TEXT)
from scipy import ndimage


class KillHead(KillHead):
    backward = by_tangents(ndimage)
