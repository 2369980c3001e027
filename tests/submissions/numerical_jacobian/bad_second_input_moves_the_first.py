# expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    Js = []
    for x in inputs:
        cols = []
        for j in range(x.numel()):
            d = torch.zeros(x.numel(), dtype=x.dtype)
            d[j] = eps
            d = d.reshape(x.shape)
            rest = inputs[1:]
            cols.append(((fn(x + d, *rest) - fn(x - d, *rest)) / (2 * eps)).detach().reshape(-1))
        Js.append(torch.stack(cols, 1))
    return tuple(Js)
