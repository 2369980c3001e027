# expected: right
from course.engine import Tensor


def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed=1.0):
    if not isinstance(seed, Tensor):
        seed = Tensor(float(seed))
    grads = {node: Tensor(0.0) for node in nodes_of(tensor)}
    grads[tensor.grad_fn] = seed
    for (node,) in zip(grads):
        for index, gradient in enumerate(node(grads[node])):
            parent = node.next_functions[index][0]
            if parent in grads:
                grads[parent] = grads[parent] + gradient
