# expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    Js = []
    for i, x in enumerate(inputs):
        x = x.detach()
        J = torch.zeros(fn(*inputs).numel(), x.numel(), dtype=torch.float64)
        for j in range(x.shape[0]):
            e = torch.zeros_like(x)
            e[j] = eps
            J[:, j] = (
                (
                    (fn(*inputs[:i], x + e, *inputs[i + 1 :]) - fn(*inputs[:i], x - e, *inputs[i + 1 :]))
                    / (2 * eps)
                )
                .detach()
                .flatten()
            )
        Js.append(J)
    return tuple(Js)
