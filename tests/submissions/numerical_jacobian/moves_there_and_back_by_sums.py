# expected: right
import torch


def numerical_jacobian(fn, inputs, eps):
    Js = ()
    for x in inputs:
        rows = []
        data = x.data.flatten() if x.dim() == 0 else x.data.view(-1)
        if x.dim() == 0:
            data = x.data.reshape(1)
        for j in range(data.shape[0]):
            data[j] += eps
            up = fn(*inputs).detach().reshape(-1).clone()
            data[j] -= 2 * eps
            down = fn(*inputs).detach().reshape(-1).clone()
            data[j] += eps
            rows.append((up - down) / 2 / eps)
        Js += (torch.stack(rows).T,)
    return Js
