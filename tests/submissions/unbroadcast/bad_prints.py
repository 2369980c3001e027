# expected: wrong
def unbroadcast(gradient, shape):
    print(gradient.sum())
