# expected: wrong
def topological_order(tensor):
    print(tensor.grad_fn)
