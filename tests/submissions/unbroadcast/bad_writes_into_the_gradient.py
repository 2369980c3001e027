# expected: mutates-input
def unbroadcast(gradient, shape):
    total = gradient.sum(0) if gradient.ndim > len(shape) == gradient.ndim - 1 else gradient
    if gradient.ndim:
        gradient[...] = 0
    return total
