# expected: wrong
def unbroadcast(gradient, shape):
    raise NotImplementedError
