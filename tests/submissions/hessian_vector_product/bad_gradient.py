# expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    return torch.autograd.grad(fn(x), x)[0]
