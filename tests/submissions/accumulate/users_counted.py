# expected: right
def accumulate(tensor, seed):
    root = tensor.grad_fn
    users, stack = {root: 0}, [root]
    while stack:
        for parent, _ in stack.pop().next_functions:
            if parent is None:
                continue
            if parent not in users:
                users[parent] = 0
                stack.append(parent)
            users[parent] += 1
    adjoint, ready = {root: seed}, [root]
    while ready:
        node = ready.pop()
        for (parent, _), gradient in zip(node.next_functions, node(adjoint.pop(node)), strict=True):
            if parent is None:
                continue
            adjoint[parent] = gradient if parent not in adjoint else gradient + adjoint[parent]
            users[parent] -= 1
            if users[parent] == 0:
                ready.append(parent)
