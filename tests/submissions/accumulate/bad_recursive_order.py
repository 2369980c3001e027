# expected: wrong
def accumulate(tensor, seed):
    order, seen = [], set()

    def visit(node):
        seen.add(node)
        for parent, _ in node.next_functions:
            if parent is not None and parent not in seen:
                visit(parent)
        order.append(node)

    visit(tensor.grad_fn)
    adjoints = {tensor.grad_fn: seed}
    for node in reversed(order):
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is not None:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient
