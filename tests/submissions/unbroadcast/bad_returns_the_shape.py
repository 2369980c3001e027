# expected: wrong
def unbroadcast(gradient, shape):
    return shape
