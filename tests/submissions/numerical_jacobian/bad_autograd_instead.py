# expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    found = torch.autograd.functional.jacobian(fn, tuple(x.detach() for x in inputs))
    m = fn(*inputs).numel()
    return tuple(J.reshape(m, -1) for J in found)
