# expected: right
from collections import Counter, deque


def topological_order(tensor):
    users, waiting, seen = Counter(), [tensor.grad_fn], {tensor.grad_fn}
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is None or parent.name() == "AccumulateGrad":
                continue
            users[parent] += 1
            if parent not in seen:
                seen.add(parent)
                waiting.append(parent)
    ready, order = deque([tensor.grad_fn]), []
    while ready:
        node = ready.popleft()
        order.append(node)
        for parent, _ in node.next_functions:
            if parent in users:
                users[parent] -= 1
                if users[parent] == 0:
                    ready.append(parent)
    return order
