# expected: wrong
def topological_order(tensor):
    return [tensor.grad_fn.name()]
