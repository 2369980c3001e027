# expected: right
import torch


def hessian_vector_product(fn, x, v):
    (gradient,) = torch.autograd.grad(fn(x), x, create_graph=True)
    (product,) = torch.autograd.grad(gradient, x, v)
    return product
