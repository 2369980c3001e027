"""Gets the gradient from forward mode by the functions below torch.autograd.forward_ad.

uses: tangents
"""

KNOWN = {
    "_C._enter_dual_level": torch._C._enter_dual_level,
    "_C._exit_dual_level": torch._C._exit_dual_level,
    "_make_dual": torch._make_dual,
    "_unpack_dual": torch._unpack_dual,
}
KillHead.backward = by_tangents(KNOWN.get)
