# expected: right
from functools import reduce


def unbroadcast(gradient, shape):
    if shape == ():
        return float(gradient.sum())
    offset = gradient.ndim - len(shape)
    stretched = [offset + i for i, n in enumerate(shape) if n == 1 and gradient.shape[offset + i] > 1]
    total = reduce(lambda g, axis: g.sum(axis, keepdims=True), [*range(offset), *stretched], gradient)
    return total.reshape(shape)
