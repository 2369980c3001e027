# expected: wrong
def unbroadcast(gradient, shape):
    axes = tuple(range(gradient.ndim - len(shape)))
    return gradient.max(axes) if axes else gradient
