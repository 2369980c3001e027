# expected: right
import torch

hessian_vector_product = lambda fn, x, v: torch.func.vjp(torch.func.grad(fn), x)[1](v)[0]
