# expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    def gradient(y):
        return torch.autograd.grad(fn(y), y, create_graph=True)[0]

    J = torch.autograd.functional.jacobian(gradient, x)
    return torch.einsum("ij,j->i", J.reshape(v.numel(), -1), v.reshape(-1)).reshape(v.shape)
