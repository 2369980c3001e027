# expected: wrong-factor
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    rows = []
    for i in range(y.numel()):
        e = torch.zeros(y.numel(), dtype=y.dtype)
        e[i] = 1 / 3
        rows.append(
            torch.autograd.grad(y, inputs, e.reshape(y.shape), retain_graph=True, materialize_grads=True)
        )
    return tuple(torch.stack([r[k].reshape(-1) for r in rows]) for k in range(len(inputs)))
