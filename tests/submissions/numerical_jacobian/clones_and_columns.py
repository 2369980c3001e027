# expected: right
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach().clone() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):
            step = torch.zeros_like(x).reshape(-1)
            step[j] = eps
            step = step.reshape(x.shape)
            plus = fn(*inputs[:i], x + step, *inputs[i + 1 :])
            minus = fn(*inputs[:i], x - step, *inputs[i + 1 :])
            columns.append(((plus - minus) / (2 * eps)).reshape(-1))
        jacobians.append(torch.stack(columns, dim=1))
    return tuple(jacobians)
