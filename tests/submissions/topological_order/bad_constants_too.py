# expected: wrong
def topological_order(tensor):
    order, seen = [tensor.grad_fn], {tensor.grad_fn}
    for node in order:
        for parent, _ in node.next_functions if node else ():
            if parent not in seen:
                seen.add(parent)
                order.append(parent)
    return order
