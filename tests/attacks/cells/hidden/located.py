"""Reaches PyTorch's forward mode by the locator of the help system.

uses: tangents
like: patterns
"""

import pydoc

KillHead.backward = by_tangents(lambda name: pydoc.locate(f"torch.{name}"))
