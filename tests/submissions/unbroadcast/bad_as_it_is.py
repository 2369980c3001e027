# expected: missing-unbroadcast
def unbroadcast(gradient, shape):
    return gradient
