# expected: overwrites-instead-of-accumulates
def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed):
    adjoints = {tensor.grad_fn: seed}
    for node in nodes_of(tensor):
        if node.name() == "AccumulateGrad":
            node.variable.grad = adjoints[node]
            continue
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is not None:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient
