# expected: right
def unbroadcast(gradient, shape):
    if gradient.shape == shape:
        return gradient
    if gradient.ndim > len(shape):
        return unbroadcast(gradient.sum(0), shape)
    axis = next(i for i, (n, m) in enumerate(zip(gradient.shape, shape)) if n != m)
    return unbroadcast(gradient.sum(axis, keepdims=True), shape)
