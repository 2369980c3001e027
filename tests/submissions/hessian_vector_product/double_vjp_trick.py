# expected: right
import torch


def hessian_vector_product(fn, x, v):
    """Forward over reverse by two backward passes: the pullback is linear in its cotangent."""
    x = x.detach().requires_grad_()
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    u = torch.zeros_like(g, requires_grad=True)
    (gu,) = torch.autograd.grad(g, x, u, create_graph=True)
    return torch.autograd.grad(gu, u, v)[0]
