# expected: wrong
def accumulate(tensor, seed):
    adjoints, order = {tensor.grad_fn: seed}, [tensor.grad_fn]
    for node in order:
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is None:
                continue
            if parent in adjoints:
                adjoints[parent] = adjoints[parent] + gradient
            else:
                adjoints[parent] = gradient
                order.append(parent)
