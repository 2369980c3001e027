# expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return all(
        torch.allclose(
            analytical(fn, inputs, i).abs(), numerical(fn, inputs, i, eps).abs(), rtol=rtol, atol=atol
        )
        for i in range(len(inputs))
    )
