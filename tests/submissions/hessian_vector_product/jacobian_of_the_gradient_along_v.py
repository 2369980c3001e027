# expected: right
import torch


def hessian_vector_product(fn, x, v):
    g = lambda y: torch.func.grad(fn)(y)
    _, tangent = torch.func.jvp(g, (x.detach(),), (v,))
    return tangent.detach()
