# expected: wrong
def topological_order(tensor):
    order, stack = {}, [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in order:
            order[node] = True
            stack.extend(parent for parent, _ in node.next_functions)
    return list(order)
