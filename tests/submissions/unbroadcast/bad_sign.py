# expected: wrong
def unbroadcast(gradient, shape):
    return -gradient.sum(tuple(range(gradient.ndim - len(shape))))
