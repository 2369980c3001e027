# expected: wrong
def analytical_jacobian(fn, inputs):
    fn(*inputs).sum().backward()
