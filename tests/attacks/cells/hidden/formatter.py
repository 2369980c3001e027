"""Reaches PyTorch's forward mode by the fields of a format.

uses: tangents
like: patterns
"""

import string

KillHead.backward = by_tangents(lambda name: string.Formatter().get_field(f"0.{name}", (torch,), {})[0])
