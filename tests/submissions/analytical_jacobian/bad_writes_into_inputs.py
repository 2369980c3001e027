# expected: mutates-input
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    for x in inputs:
        x.data.mul_(1.0)
    rows = []
    for i in range(output.numel()):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = 1.0
        grads = torch.autograd.grad(
            output, inputs, v.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        grads = [torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs)]
        rows.append([g.reshape(-1) for g in grads])
    inputs[0].data.add_(1.0)
    return tuple(torch.stack(r) for r in zip(*rows))
