# expected: right
import torch


@torch.no_grad()
def numerical_jacobian(fn, inputs, eps=1e-6):
    out = fn(*inputs)
    result = []
    for x in inputs:
        J = torch.empty(out.numel(), x.numel(), dtype=torch.float64)
        flat = x.view(-1)
        for j in range(x.numel()):
            old = flat[j].item()
            flat[j] = old + eps
            plus = fn(*inputs).clone()
            flat[j] = old - eps
            minus = fn(*inputs).clone()
            flat[j] = old
            J[:, j] = (plus - minus).flatten() / (2 * eps)
        result.append(J)
    return tuple(result)
