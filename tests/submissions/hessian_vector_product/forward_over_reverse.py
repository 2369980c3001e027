# expected: right
from torch.func import grad, jvp


def hessian_vector_product(fn, x, v):
    return jvp(grad(fn), (x,), (v,))[1]
