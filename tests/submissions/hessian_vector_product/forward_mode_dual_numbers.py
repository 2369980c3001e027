# expected: right
import torch
import torch.autograd.forward_ad as fwAD


def hessian_vector_product(fn, x, v):
    with fwAD.dual_level():
        dual = fwAD.make_dual(x.detach().requires_grad_(), v)
        (gradient,) = torch.autograd.grad(fn(dual), dual, create_graph=True)
        return fwAD.unpack_dual(gradient).tangent
