# expected: mean-instead-of-sum
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.mean(axis, keepdims=True)
    return gradient
