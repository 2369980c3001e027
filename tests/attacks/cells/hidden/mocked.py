"""Reaches PyTorch's forward mode by the targets of a mock.

uses: tangents
like: patterns
"""

from unittest.mock import patch


def reach(name):
    mocked = patch(f"torch.{name}", new=None)
    with mocked:
        return mocked.temp_original


KillHead.backward = by_tangents(reach)
