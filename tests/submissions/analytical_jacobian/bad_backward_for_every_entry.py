# expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs).reshape(-1)
    Js = []
    for x in inputs:
        J = torch.zeros(y.numel(), x.numel(), dtype=x.dtype)
        for i in range(y.numel()):
            for j in range(x.numel()):
                (g,) = torch.autograd.grad(y[i], x, retain_graph=True, materialize_grads=True)
                J[i, j] = g.reshape(-1)[j]
        Js.append(J)
    return tuple(Js)
