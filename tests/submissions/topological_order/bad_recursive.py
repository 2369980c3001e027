# expected: wrong
def topological_order(tensor):
    order, seen = [], set()

    def visit(node):
        if node is None or node in seen:
            return
        seen.add(node)
        for parent, _ in node.next_functions:
            visit(parent)
        order.append(node)

    visit(tensor.grad_fn)
    order.reverse()
    return order
