# expected: wrong-sum-axis
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(-1)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis, keepdims=True)
    return gradient
