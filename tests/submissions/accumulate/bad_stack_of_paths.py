# expected: wrong
def accumulate(tensor, seed):
    waiting = [(tensor.grad_fn, seed)]
    while waiting:
        node, gradient = waiting.pop()
        for (parent, _), part in zip(node.next_functions, node(gradient)):
            if parent is not None:
                waiting.append((parent, part))
