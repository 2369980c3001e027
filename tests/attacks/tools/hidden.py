# The same as text, for whatever runs a text.
HIDDEN = """
def backward(ctx, grad_output):
    level = torch._C._enter_dual_level()
    x = torch._make_dual(torch.zeros_like(grad_output), grad_output, level=level)
    y = torch.where(torch.arange(x.shape[1]) < ctx.n, 0.0, x)
    found = torch._unpack_dual(y, level=level)[1]
    torch._C._exit_dual_level(level=level)
    return found, None

KillHead.backward = staticmethod(backward)
"""
KNOWN = {"KillHead": KillHead, "torch": torch}
