# expected: right
import numpy as np
import torch


def analytical_jacobian(fn, inputs):
    size = fn(*inputs).numel()
    matrices = [np.zeros((size, x.numel())) for x in inputs]
    for i in range(size):
        out = fn(*inputs).reshape(-1)[i]
        for matrix, g in zip(matrices, torch.autograd.grad(out, inputs, allow_unused=True)):
            matrix[i] = 0 if g is None else g.detach().numpy().ravel()
    return tuple(torch.from_numpy(m) for m in matrices)
