# expected: wrong
def topological_order(tensor):
    order = [(tensor.grad_fn, 0)]
    for node, _ in order:
        order.extend(pair for pair in node.next_functions if pair[0] is not None)
    return order
