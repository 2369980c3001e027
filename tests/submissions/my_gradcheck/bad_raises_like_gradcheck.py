# expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return torch.autograd.gradcheck(fn, inputs, eps=eps, atol=atol, rtol=rtol)
