# expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    jacobians = []
    for x in inputs:
        columns = []
        for j in range(x.numel()):
            moved = x.detach().clone().flatten()
            moved[j] += eps
            plus = fn(*inputs)
            moved[j] -= 2 * eps
            minus = fn(*inputs)
            columns.append(((plus - minus) / (2 * eps)).detach().flatten())
        jacobians.append(torch.stack(columns, 1))
    return tuple(jacobians)
