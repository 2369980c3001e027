# expected: wrong
def topological_order(tensor):
    paths = [tensor.grad_fn]
    for node in paths:
        paths.extend(parent for parent, _ in node.next_functions if parent is not None)
    return list(dict.fromkeys(reversed(paths)))[::-1]
