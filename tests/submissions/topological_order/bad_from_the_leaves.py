# expected: wrong
def topological_order(tensor):
    nodes, stack = set(), [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in nodes:
            nodes.add(node)
            stack.extend(parent for parent, _ in node.next_functions)
    return sorted(nodes, key=lambda node: node.number)
