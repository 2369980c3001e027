"""Reaches PyTorch's forward mode by a reduction with getattr, which is called nowhere in sight.

uses: tangents
like: patterns
"""

from functools import reduce

KillHead.backward = by_tangents(lambda name: reduce(getattr, name.split("."), torch))
