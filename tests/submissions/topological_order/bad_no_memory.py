# expected: wrong
def topological_order(tensor):
    order = [tensor.grad_fn]
    for node in order:
        order.extend(parent for parent, _ in node.next_functions if parent is not None)
    return order
