# expected: wrong
def topological_order(tensor):
    nodes, stack = {}, [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in nodes:
            nodes[node] = True
            stack.extend(parent for parent, _ in node.next_functions)
    order = sorted(nodes, key=lambda node: -node.number)
    return order[:-1]
