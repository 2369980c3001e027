# expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    Js = []
    for k, x in enumerate(inputs):
        x = x.detach()
        cols = []
        for j in range(x.numel()):
            h = eps * max(1.0, abs(x.reshape(-1)[j].item()))
            d = torch.zeros(x.numel(), dtype=x.dtype)
            d[j] = h
            d = d.reshape(x.shape)
            up = fn(*inputs[:k], x + d, *inputs[k + 1 :])
            down = fn(*inputs[:k], x - d, *inputs[k + 1 :])
            cols.append(((up - down) / (2 * eps)).detach().reshape(-1))
        Js.append(torch.stack(cols, 1))
    return tuple(Js)
