# expected: wrong
def accumulate(tensor, seed):
    def push(node, gradient):
        for (parent, _), part in zip(node.next_functions, node(gradient)):
            if parent is not None:
                push(parent, part)

    push(tensor.grad_fn, seed)
