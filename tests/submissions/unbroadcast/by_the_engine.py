# expected: right
from course.engine import Tensor, broadcast_to, grad


def unbroadcast(gradient, shape):
    import numpy as np

    x = Tensor(np.zeros(shape), requires_grad=True)
    wide = broadcast_to(x, np.shape(gradient)) * 1.0
    return grad(wide, x, Tensor(gradient))[0].data
