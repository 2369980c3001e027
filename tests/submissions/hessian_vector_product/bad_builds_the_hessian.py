# expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    x = x.detach()
    H = torch.autograd.functional.hessian(fn, x)
    return (H.reshape(x.numel(), -1) @ v.flatten()).reshape(x.shape)
