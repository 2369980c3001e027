# expected: wrong
def topological_order(tensor):
    order, node = [], tensor.grad_fn
    while node is not None:
        order.append(node)
        node = node.next_functions[0][0] if node.next_functions else None
    return order
