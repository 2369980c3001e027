# expected: missing-unbroadcast
def unbroadcast(gradient, shape):
    if shape == ():
        return gradient.sum()
    if gradient.ndim > len(shape):
        gradient = gradient.sum(0)
    axes = tuple(i for i, n in enumerate(shape) if n == 1)
    return gradient.sum(axes, keepdims=True)
