# expected: wrong
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient[0]
    return gradient[tuple(slice(0, n) for n in shape)]
