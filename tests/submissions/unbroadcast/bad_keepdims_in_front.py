# expected: wrong
def unbroadcast(gradient, shape):
    extra = gradient.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(extra + i for i, n in enumerate(shape) if n == 1)
    return gradient.sum(axes, keepdims=True)
