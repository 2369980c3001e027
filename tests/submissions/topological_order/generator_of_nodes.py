# expected: right
from collections import deque


def walk(tensor):
    counts = {tensor.grad_fn: 0}
    queue = deque(counts)
    while queue:
        for parent, _ in queue.popleft().next_functions:
            if parent is not None:
                if parent not in counts:
                    counts[parent] = 0
                    queue.append(parent)
                counts[parent] += 1
    ready = [tensor.grad_fn]
    while ready:
        node = ready.pop()
        yield node
        for parent, _ in node.next_functions:
            if parent is not None:
                counts[parent] -= 1
                if not counts[parent]:
                    ready.append(parent)


def topological_order(tensor):
    return [*walk(tensor)]
