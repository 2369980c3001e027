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


def accumulate(tensor, seed):
    numbers = dict.fromkeys(nodes_of(tensor), 0.0)
    numbers[tensor.grad_fn] = seed
    for node, number in list(numbers.items()):
        parents = [parent for parent, _ in node.next_functions]
        for parent, gradient in zip(parents, node(Tensor(numbers[node]))):
            if parent is not None:
                numbers[parent] += gradient.item()
