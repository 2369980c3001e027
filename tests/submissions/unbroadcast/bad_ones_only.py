# expected: missing-unbroadcast
def unbroadcast(gradient, shape):
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis, keepdims=True)
    return gradient
