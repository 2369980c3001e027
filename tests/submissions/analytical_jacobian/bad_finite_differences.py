# expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    result = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):
            step = torch.zeros(x.numel(), dtype=x.dtype)
            step[j] = 1e-6
            step = step.reshape(x.shape)
            up, down = (fn(*inputs[:i], x + s, *inputs[i + 1 :]) for s in (step, -step))
            columns.append(((up - down) / 2e-6).reshape(-1))
        result.append(torch.stack(columns, 1))
    return tuple(result)
