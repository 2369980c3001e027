# expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    rows = [torch.autograd.grad(gi, x, retain_graph=True)[0] for gi in g.flatten()]
    return torch.stack([(row * v).sum() for row in rows]).reshape(x.shape)
