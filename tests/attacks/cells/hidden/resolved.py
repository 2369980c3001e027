"""Reaches PyTorch's forward mode by the standard library's own resolver of names.

uses: tangents
like: patterns
"""

import pkgutil

KillHead.backward = by_tangents(lambda name: pkgutil.resolve_name(f"torch:{name}"))
