# expected: wrong-factor
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return torch.autograd.grad(g, x, v / v.norm())[0]
