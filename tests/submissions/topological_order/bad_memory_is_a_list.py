# expected: wrong
def topological_order(tensor):
    seen, order, stack = [], [], [(tensor.grad_fn, False)]
    while stack:
        node, finished = stack.pop()
        if finished:
            order.append(node)
        elif node is not None and node not in seen:
            seen.append(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent, _ in node.next_functions)
    return order[::-1]
