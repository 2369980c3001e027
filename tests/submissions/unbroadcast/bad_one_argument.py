# expected: wrong
def unbroadcast(gradient):
    return gradient
