# expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(output.numel()):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = 1.0
        grads = torch.autograd.grad(
            output, inputs, v.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        rows.append([g if g is None else g.reshape(-1) for g in grads])
    return tuple(None if r[0] is None else torch.stack(r) for r in zip(*rows))
