# expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x)
    return torch.autograd.grad((g * v).sum(), x)[0]
