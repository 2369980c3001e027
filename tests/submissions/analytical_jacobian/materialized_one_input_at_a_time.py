# expected: right
import torch


def analytical_jacobian(fn, inputs):
    return [_of(fn, inputs, x) for x in inputs]


def _of(fn, inputs, x):
    y = fn(*inputs).reshape(-1)
    return torch.stack(
        [
            torch.autograd.grad(element, x, retain_graph=True, materialize_grads=True)[0].reshape(-1)
            for element in y
        ]
    )
