# expected: wrong
def my_gradcheck(fn, inputs, eps, atol, rtol):
    raise NotImplementedError
