# expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    def gradient(y):
        y = y.detach().requires_grad_()
        return torch.autograd.grad(fn(y), y)[0]

    x = x.detach()
    total = torch.zeros_like(x)
    for j in range(x.numel()):
        e = torch.zeros(x.numel(), dtype=x.dtype)
        e[j] = 1e-5
        e = e.reshape(x.shape)
        total = total + (gradient(x + e) - gradient(x - e)) / 2e-5 * v.flatten()[j]
    return total
