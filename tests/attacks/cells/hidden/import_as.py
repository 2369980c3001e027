"""Reaches PyTorch's forward mode by imports under other names.

uses: tangents
like: patterns
"""

from torch import _make_dual as pair
from torch import _unpack_dual as split
from torch._C import _enter_dual_level as begin
from torch._C import _exit_dual_level as end

KillHead.backward = by_tangents(
    {
        "_C._enter_dual_level": begin,
        "_C._exit_dual_level": end,
        "_make_dual": pair,
        "_unpack_dual": split,
    }.get
)
