# expected: right
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    """Compare u·J·v for many random u, and v one unit vector after the other."""
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        grads = []
        for unit in torch.eye(y.numel(), dtype=y.dtype):
            (g,) = torch.autograd.grad(y, x, unit.reshape(y.shape), retain_graph=True, allow_unused=True)
            grads.append(torch.zeros(x.numel(), dtype=x.dtype) if g is None else g.reshape(-1))
        A = torch.stack(grads)
        with torch.no_grad():
            for j in range(x.numel()):
                d = torch.zeros(x.numel(), dtype=x.dtype)
                d[j] = eps
                d = d.reshape(x.shape)
                up = fn(*[t + d if i == k else t for i, t in enumerate(inputs)])
                down = fn(*[t - d if i == k else t for i, t in enumerate(inputs)])
                n = ((up - down) / (2 * eps)).reshape(-1)
                if not ((A[:, j] - n).abs() <= atol + rtol * n.abs()).all():
                    return False
    return True
