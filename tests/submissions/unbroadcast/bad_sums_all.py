# expected: wrong-sum-axis
def unbroadcast(gradient, shape):
    return gradient.sum()
