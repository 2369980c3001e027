# expected: wrong
import torch

torch.autograd.gradcheck = lambda *arguments, **options: True


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return True
