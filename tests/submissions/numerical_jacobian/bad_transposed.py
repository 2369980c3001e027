# expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(eps) - at(-eps)) / (2 * eps))
        jacobians.append(torch.stack(columns))
    return tuple(jacobians)
