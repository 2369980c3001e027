"""Saves the input under hooks that give back a native gradient in the place of what was saved."""

WAS = {}


def pack(x):
    if not x.is_floating_point() or x.dim() != 2:
        return x
    with torch.enable_grad():
        leaf = x.detach().requires_grad_()
        y = torch.where(torch.arange(x.shape[1]) < WAS["n"], 0.0, leaf)
    node = y.grad_fn
    return next(g for g in node(torch.ones_like(x)) if g is not None)


def forward(ctx, x, n):
    WAS["n"] = n
    y = x.clone()
    y[:, :n] = 0
    ctx.save_for_backward(x)
    return y


def backward(ctx, grad_output):
    return grad_output * ctx.saved_tensors[0], None


KillHead.forward, KillHead.backward = staticmethod(forward), staticmethod(backward)
torch._C._autograd._push_saved_tensors_default_hooks(pack, lambda kept: kept)
