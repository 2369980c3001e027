# expected: right
def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


from collections import defaultdict


def accumulate(tensor, seed):
    incoming = defaultdict(list)
    incoming[tensor.grad_fn].append(seed)
    for node in nodes_of(tensor):
        total = sum(incoming[node][1:], start=incoming[node][0])
        if node.name() == "AccumulateGrad":
            leaf = node.variable
            leaf.grad = total if leaf.grad is None else leaf.grad + total
            continue
        for (parent, _), gradient in zip(node.next_functions, node(total)):
            if parent:
                incoming[parent].append(gradient)
