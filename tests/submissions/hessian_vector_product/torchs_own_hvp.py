# expected: right
from torch.autograd.functional import hvp


def hessian_vector_product(fn, x, v):
    _, product = hvp(fn, x, v)
    return product
