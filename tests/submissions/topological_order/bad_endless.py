# expected: wrong
def topological_order(tensor):
    while True:
        try:
            tensor.grad_fn.name()
        except Exception:
            pass
