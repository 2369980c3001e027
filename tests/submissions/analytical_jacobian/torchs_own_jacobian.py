# expected: right
import torch
from torch.autograd.functional import jacobian


def analytical_jacobian(fn, inputs):
    Js = jacobian(fn, inputs)
    return tuple(J.reshape(-1, x.numel()) for J, x in zip(Js, inputs))
