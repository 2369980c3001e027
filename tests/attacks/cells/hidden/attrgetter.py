"""Reaches PyTorch's forward mode by operator.attrgetter, imported under another name.

uses: tangents
like: patterns
"""

from operator import attrgetter as of

KillHead.backward = by_tangents(lambda name: of(name)(torch))
