# expected: lost-keepdim
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(0)
    axes = tuple(i for i, n in enumerate(shape) if n == 1)
    return gradient.sum(axes)
