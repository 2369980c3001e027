# expected: right
import itertools

import numpy as np
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = tuple(t.detach().clone() for t in inputs)
    m = fn(*inputs).numel()
    Js = tuple(torch.zeros((m, t.numel()), dtype=torch.double) for t in inputs)
    for J, t in zip(Js, inputs):
        for col, idx in enumerate(itertools.product(*[range(s) for s in t.shape])):
            centre = t[idx].item()
            t[idx] = centre + eps
            hi = fn(*inputs).clone()
            t[idx] = centre - eps
            lo = fn(*inputs).clone()
            t[idx] = centre
            J[:, col] = ((hi - lo) / (2 * eps)).reshape(m)
    return Js
