# expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for x in inputs:
        y = fn(*inputs)
        (g,) = torch.autograd.grad(y.sum(), x, allow_unused=True)
        total = torch.zeros_like(x) if g is None else g
        with torch.no_grad():
            moved = [t + eps if t is x else t for t in inputs]
            back = [t - eps if t is x else t for t in inputs]
            n = (fn(*moved).sum() - fn(*back).sum()) / (2 * eps)
        if not torch.isclose(total.sum(), n, rtol=rtol, atol=atol):
            return False
    return True
