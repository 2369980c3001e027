# expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    def gradient(y):
        y = y.detach().requires_grad_()
        return torch.autograd.grad(fn(y), y)[0]

    return (gradient(x + 1e-3 * v) - gradient(x)) / 1e-3
