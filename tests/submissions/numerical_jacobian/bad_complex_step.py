# expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    Js = []
    for k, x in enumerate(inputs):
        cols = []
        for j in range(x.numel()):
            d = torch.zeros(x.numel(), dtype=torch.complex128)
            d[j] = 1j * eps
            args = [t.detach().to(torch.complex128) for t in inputs]
            args[k] = args[k] + d.reshape(x.shape)
            cols.append(fn(*args).imag.reshape(-1) / eps)
        Js.append(torch.stack(cols, 1))
    return tuple(Js)
