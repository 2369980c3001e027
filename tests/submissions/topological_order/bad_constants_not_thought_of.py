# expected: wrong
def topological_order(tensor):
    order, stack = [], [tensor.grad_fn]
    while stack:
        node = stack.pop()
        order.append(node)
        stack += [parent for parent, _ in node.next_functions if parent not in order]
    return order
