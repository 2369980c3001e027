# expected: right
import torch


def hessian_vector_product(fn, x, v):
    leaf = x.detach().clone().requires_grad_(True)
    with torch.enable_grad():
        g = torch.autograd.grad(fn(leaf), leaf, create_graph=True)[0]
        s = torch.dot(g.flatten(), v.flatten())
    s.backward()
    return leaf.grad.clone()
