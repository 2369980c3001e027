# expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    x = x.detach()
    return (torch.func.hessian(fn)(x).reshape(x.numel(), -1) @ v.flatten()).reshape(x.shape)
