# expected: right
def topological_order(tensor):
    nodes = {tensor.grad_fn: None}
    waiting = [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in nodes:
                nodes[parent] = None
                waiting.append(parent)
    return sorted(nodes, key=lambda node: node.number, reverse=True)
